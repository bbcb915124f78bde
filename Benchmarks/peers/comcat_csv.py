"""libcomcat's search, writing a CSV: comcat_csv.py QUERY_URL START END FILE

As its program getcsv does it, with two differences: another server, and none of the pauses that it makes for the real one.
"""

import sys
from datetime import datetime

from libcomcat import search
from libcomcat.dataframes import get_summary_data_frame

url, start, end, file = sys.argv[1:]
search.SEARCH_TEMPLATE = f"{url}?format=geojson"
search.API_THROTTLE_LIMIT = 0
events = search.search(starttime=datetime.fromisoformat(start), endtime=datetime.fromisoformat(end), eventtype=None)
get_summary_data_frame(events).to_csv(file, index=False)
