#!/usr/bin/env python3
"""Writes feeds/, malformed/, stories/ and details/ beside this file, always the same bytes.

Every place, id and value is invented; only the format is that of the USGS feeds.
The expectations are written by hand, next to the data they speak of, never computed.
"""
import copy
import csv
import io
import json
import shutil
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).parent
SITE = "https://earthquake.usgs.gov/"
NAMES = {
    "all_hour": "USGS All Earthquakes, Past Hour",
    "all_day": "USGS All Earthquakes, Past Day",
    "2.5_day": "USGS Magnitude 2.5+ Earthquakes, Past Day",
    "significant_hour": "USGS Significant Earthquakes, Past Hour",
    "significant_month": "USGS Significant Earthquakes, Past Month",
}
QUERY = "fdsnws/event/1/query?"


# --- Quakes -------------------------------------------------------------------------------------

def t(text):
    """Milliseconds since 1970. "11:40" is on 14 March 2026, "13 11:40" on the 13th, "2014-02-05 12:26" in full."""
    if isinstance(text, int):
        return text
    if len(text.split("-")) == 1:
        day, _, clock = text.rpartition(" ")
        text = f"2026-03-{day or '14'} {clock}"
    moment = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    since = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000


def titled(feature):
    p = feature["properties"]
    mag = "?" if p["mag"] is None else f"{p['mag']:.1f}"
    if "title" in p:
        p["title"] = f"M {mag} - {p['place'] or ''}"
    return feature


def quake(net, code, time, mag=2.1, place="7 km N of Marlow Springs, CA", *, updated=None, lon=-117.5125, lat=35.6875,
          depth=8.25, sig=None, ids=None, sources=None, types="origin,phase-data", title="", **rest):
    id = net + code
    p = dict(mag=mag, place=place, time=t(time), updated=t(time) + 240_040 if updated is None else t(updated), tz=None,
             url=f"{SITE}earthquakes/eventpage/{id}", detail=f"{SITE}earthquakes/feed/v1.0/detail/{id}.geojson",
             felt=None, cdi=None, mmi=None, alert=None, status="automatic", tsunami=0,
             sig=round((mag or 0) * abs(mag or 0) * 1000 / 65) if sig is None else sig, net=net, code=code,
             ids=f",{ids or id},", sources=f",{sources or net},", types=f",{types},",
             nst=18, dmin=0.0625, rms=0.15, gap=74, magType=None if mag is None else "ml", type="earthquake", title=title)
    p.update(rest)
    return titled({"type": "Feature", "properties": p,
                   "geometry": {"type": "Point", "coordinates": [lon, lat, depth]}, "id": id})


def but(feature, *, lon=None, lat=None, depth=None, **changes):
    """The same quake, published again with other values."""
    new = copy.deepcopy(feature)
    for index, value in enumerate([lon, lat, depth]):
        if value is not None:
            new["geometry"]["coordinates"][index] = value
    for name, value in changes.items():
        if name in ("time", "updated"):
            value = t(value)
        if name in ("ids", "sources", "types"):
            value = f",{value},"
        new["properties"][name] = value
    return titled(new) if "title" not in changes else new


# --- Feeds --------------------------------------------------------------------------------------

def feed(name, generated, features, *, count=None, status=200, api="2.7.0", newest_first=True, **extra):
    query = name.startswith(QUERY)
    metadata = dict(generated=t(generated), url=SITE + (name if query else f"earthquakes/feed/v1.0/summary/{name}.geojson"),
                    title="USGS Earthquakes" if query else NAMES[name], status=status, api=api)
    if query:
        metadata |= dict(limit=20000, offset=1)
    metadata["count"] = len(features) if count is None else count
    if newest_first:
        features = sorted(features, key=lambda f: -f["properties"]["time"])
    document = dict(type="FeatureCollection", metadata=metadata | extra, features=features)
    points = [f["geometry"]["coordinates"] for f in features if isinstance(f, dict) and f.get("geometry")]
    if points and all(len(p) == 3 and all(type(v) in (int, float, type(None)) for v in p) for p in points):
        axes = [[v for v in axis if v is not None] for axis in zip(*points)]
        if all(axes):
            document["bbox"] = [min(a) for a in axes] + [max(a) for a in axes]
    return document


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def published(document, lines=False):
    """The bytes as USGS lays them out: a line per feature. `lines` keeps the envelope off the features' lines."""
    features = ",\n".join(compact(f) for f in document.get("features", []))
    break_ = "\n" if lines and features else ""
    members = [f'"{k}":[{break_}{features}{break_}]' if k == "features" else f'"{k}":{compact(v)}' for k, v in document.items()]
    return "{" + ",".join(members) + "}" + ("\n" if lines else "")


def write(path, content):
    path = HERE / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


# --- feeds/ -------------------------------------------------------------------------------------

DAY_1 = [
    quake("ci", "49000130", "11:52:14.310", 1.14, "5 km WSW of Marlow Springs, CA", lon=-117.6043333, lat=35.6611667, depth=4.87, types="nearby-cities,origin,phase-data,scitech-link", nst=21, dmin=0.05218, gap=63),
    quake("hv", "79000218", "11:41:03.270", 2.0899999, "4 km SSE of Pāhola, Hawaii", lon=-155.458496093750, lat=19.1706676483154, depth=31.7099990844727, magType="md", nst=38, dmin=0.03911, rms=0.119999997, gap=141),
    quake("ak", "a2026zzfqmv", "11:28:40.115", 1.6, "31 km NW of Tolsa Lake, Alaska", lon=-151.284, lat=62.519, depth=88.4, nst=None, dmin=None, rms=0.62, gap=None),
    quake("tx", "2026zzjkdw", "11:07:55.641", 2.46, "22 km SE of Barrow Wells, Texas", lon=-104.117, lat=31.62, depth=5.9143, nst=29, dmin=0.1, rms=0.2, gap=58, status="reviewed", updated="11:36:20.512"),
    quake("us", "7000zzc4", "10:42:18.906", 3.1, "9 km NNE of Marlow Springs, CA", lon=-117.4812, lat=35.7421, depth=10, magType="mb", felt=4, cdi=2.7, types="dyfi,origin,phase-data", nst=24, dmin=0.312, rms=0.71, gap=88, updated="10:57:44.040"),
    quake("nc", "79100455", "10:15:31.480", -0.31, "2 km ESE of Cobalt Flat, CA", lon=-122.8023333, lat=38.8141667, depth=-0.42, magType="md", nst=6, dmin=0.0081, rms=0.02, gap=171, types="nearby-cities,origin,phase-data"),
    quake("pr", "71990117", "09:58:02.630", 2.74, "41 km NNW of Isla Serena, Puerto Rico", lon=-67.4125, lat=18.8303, depth=27.6, magType="md", nst=15, dmin=0.4027, rms=0.31, gap=244, status="reviewed", updated="10:40:12.733"),
    quake("us", "7000zzbq", "09:12:47.204", 5.3, "58 km WSW of Hachinawa, Japan", lon=141.0378, lat=40.3126, depth=63.521, magType="mww", felt=11, cdi=3.4, mmi=4.112, alert="green", types="dyfi,losspager,moment-tensor,origin,phase-data,shakemap", nst=97, dmin=1.284, rms=0.83, gap=71, status="reviewed", updated="11:20:05.081"),
    quake("uu", "80990412", "08:49:26.750", 0.72, "12 km S of Kettle Creek, Utah", lon=-111.4488333, lat=38.5016667, depth=7.3, magType="md", nst=11, dmin=0.03304, rms=0.17, gap=104, types="origin,phase-data"),
    quake("ci", "49000117", "08:20:09.140", 1.88, "14 km E of Palo Hondo, CA", lon=-116.3518333, lat=33.0478333, depth=12.04, types="focal-mechanism,nearby-cities,origin,phase-data,scitech-link", nst=52, dmin=0.04417, rms=0.21, gap=37),
    quake("us", "7000zzay", "07:33:51.882", 6.2, "83 km SE of Puerto Almendra, Chile", lon=-70.9417, lat=-30.8856, depth=44.18, magType="mww", felt=214, cdi=6.2, mmi=6.318, alert="green", tsunami=1, types="dyfi,ground-failure,losspager,moment-tensor,origin,phase-data,shakemap", nst=164, dmin=0.447, rms=0.94, gap=36, status="reviewed", updated="11:48:30.627", sig=724),
    quake("ok", "2026zzab", "06:57:14.330", 1.9, "6 km NE of Cedar Hollow, Oklahoma", lon=-97.40616667, lat=36.11983333, depth=6.02, nst=44, dmin=0.0709, rms=0.28, gap=49, status="reviewed", updated="10:02:51.610"),
    quake("tx", "2026zzab", "06:31:40.027", 2.2, "37 km NNW of Dry Fork, Texas", lon=-101.866, lat=32.271, depth=4.2998, nst=23, dmin=0, rms=0.4, gap=66),
    quake("av", "91990744", "05:44:12.290", None, "9 km W of Mount Kasilan, Alaska", lon=-153.2195, lat=59.3662, depth=3.11, magType=None, nst=5, dmin=0.06117, rms=0.09, gap=188),
    quake("nn", "00990521", "04:26:33.418", 1.3, "26 km ESE of Silver Basin, Nevada", lon=-117.6071, lat=38.1538, depth=9.8, nst=19, dmin=0.118, rms=0.1464, gap=83.21, status="reviewed", updated="11:31:07.902"),
    quake("us", "7000zz9d", "03:50:20.771", 4.6, "Mid-Orient Ridge", lon=180, lat=-28.4417, depth=402.716, magType="mb", nst=41, dmin=5.117, rms=0.77, gap=92, status="reviewed", updated="04:31:58.040"),
    quake("se", "60990213", "02:37:59.160", 1.75, "3 km SW of Linden Gap, Tennessee", lon=-84.6195, lat=35.4188333, depth=11.62, magType="md", felt=2, cdi=2.0, types="dyfi,origin,phase-data", nst=14, dmin=0.1629, rms=0.11, gap=127, status="reviewed", updated="09:15:40.370"),
    quake("hv", "79000143", "01:22:08.940", 2.3, "11 km ENE of Kōlea Bay, Hawaii", lon=-155.110000610352, lat=19.9113330841064, depth=13.4700002670288, nst=41, dmin=0.07732, rms=0.170000002, gap=96, status="reviewed", updated="03:55:17.180"),
    quake("ci", "49000081", "13 22:14:46.520", 1.47, "Quarry, 5 km N of Oro Seco, CA", lon=-117.2298333, lat=34.6321667, depth=-0.77, type="quarry blast", nst=26, dmin=0.09931, rms=0.14, gap=71, status="reviewed", updated="14 00:40:21.960"),
    quake("uw", "62990377", "13 19:03:27.210", 0.98, "8 km NW of Fern Prairie, Washington", lon=-122.6016667, lat=46.8528333, depth=17.84, magType="md", nst=17, dmin=0.1102, rms=0.16, gap=70, status="reviewed", updated="13 22:17:03.740"),
    quake("us", "7000zz5k", "13 16:48:11.006", 4.9, "112 km NNE of Tanjung Biru, Indonesia", lon=128.5573, lat=-5.2271, depth=10, magType="mwr", nst=78, dmin=2.616, rms=0.88, gap=54, status="reviewed", updated="13 17:20:33.040", types="moment-tensor,origin,phase-data"),
    quake("nc", "79100398", "13 12:51:36.870", 1.02, "7 km NW of Cobalt Flat, CA", lon=-122.8481667, lat=38.8715, depth=1.96, magType="md", nst=12, dmin=0.00914, rms=0.03, gap=92, types="nearby-cities,origin,phase-data"),
    quake("tx", "2026zzaqpn", "13 12:33:05.492", 1.7, "22 km SE of Barrow Wells, Texas", lon=-104.121, lat=31.617, depth=6.1027, nst=20, dmin=0.1, rms=0.1, gap=65),
    quake("us", "7000zz3h", "13 12:06:50.318", 4.4, "South of the Lorne Islands", lon=-176.2204, lat=51.0319, depth=35, magType="mb", nst=33, dmin=0.902, rms=0.52, gap=168, status="reviewed", updated="13 12:40:19.040"),
]
OF = {f["id"]: f for f in DAY_1}
NEW_IN_DAY_2 = [
    quake("hv", "79000224", "12:51:44.180", 1.9400001, "5 km S of Pāhola, Hawaii", lon=-155.464172363281, lat=19.1554994583130, depth=32.0200004577637, magType="md", nst=40, dmin=0.03404, rms=0.109999999, gap=138),
    quake("us", "7000zzd9", "12:36:10.552", 4.7, "25 km E of Åsgrunn, Jan Mayen region", lon=-8.3127, lat=71.2044, depth=10, magType="mb", nst=46, dmin=5.702, rms=0.61, gap=77, status="reviewed", updated="12:55:27.040"),
    quake("ci", "49000134", "12:18:29.070", 0.86, "6 km W of Marlow Springs, CA", lon=-117.6118333, lat=35.6838333, depth=3.92, nst=16, dmin=0.05402, rms=0.12, gap=68),
    quake("ak", "a2026zzbxke", "09:31:22.604", 2.9, "64 km SSW of Amlia Point, Alaska", lon=-173.418, lat=51.528, depth=21.7, nst=None, dmin=None, rms=0.44, gap=None, updated="12:41:50.115"),
]
CHANGED_IN_DAY_2 = {
    "tx2026zzjkdw": but(OF["tx2026zzjkdw"], mag=2.62, sig=106, nst=34, gap=52, updated="12:44:09.215"),
    "ci49000117": but(OF["ci49000117"], mag=1.91, sig=56, status="reviewed", rms=0.19, updated="12:30:51.338"),
    "us7000zz9d": but(OF["us7000zz9d"], depth=398.2, place="147 km E of Tofua Reef, Lorne Islands"),
    "us7000zzbq": but(OF["us7000zzbq"], felt=19, cdi=3.8, sig=439, updated="12:58:02.517"),
    "us7000zzc4": quake("ci", "49000125", "10:42:18.640", 3.22, "8 km NNE of Marlow Springs, CA", lon=-117.4763333, lat=35.7518333, depth=6.48, felt=6, cdi=2.9, types="dyfi,focal-mechanism,nearby-cities,origin,phase-data,scitech-link", nst=63, dmin=0.04988, rms=0.16, gap=29, status="reviewed", ids="us7000zzc4,ci49000125", sources="us,ci", updated="12:22:37.904"),
}
AGED_OUT_IN_DAY_2 = ["nc79100398", "tx2026zzaqpn", "us7000zz3h"]

QUERY_URL = QUERY + "format=geojson&starttime=1868-01-01T00%3A00%3A00&endtime=2018-12-31T00%3A00%3A00&limit=20000&offset=1&orderby=time"


def queried(feature):
    return but(feature, detail=f"{SITE}{QUERY}eventid={feature['id']}&format=geojson")


# The uncertainties of some quakes: horizontalError, depthError, magError, magNst.
UNCERTAINTIES = {
    "ci49000130": (0.24, 0.61, 0.141, 27), "hv79000218": (0.3900000155, 0.7599999905, 0.25, 5),
    "tx2026zzjkdw": (0.8143, 1.2, 0.1, 18), "us7000zzbq": (7.12, 1.8, 0.053, 34), "us7000zzay": (6.4, 1.7, 0.041, 57),
    "nc79100455": (0.18, 0.34, None, None), "us7000zz9d": (9.8, 6.2, 0.08, 47), "ok2026zzab": (None, 0.5, 0.19, 22),
    "ci49000301": (0.31, 0.72, 0.12, 19),
}
ERRORS = ["horizontal_error", "depth_error", "mag_error", "mag_nst", "location_source", "mag_source"]
COLUMNS = ("time latitude longitude depth mag magType nst gap dmin rms net id updated place type horizontalError "
           "depthError magError magNst status locationSource magSource").split()


def csv_row(feature):
    """The row of a feature in the CSV of USGS."""
    def moment(ms):
        seconds, fraction = divmod(ms, 1000)
        return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%dT%H:%M:%S}.{fraction:03}Z"
    p = feature["properties"]
    longitude, latitude, depth = feature["geometry"]["coordinates"]
    uncertainties = UNCERTAINTIES.get(feature["id"], (None,) * 4)
    values = p | dict(zip(["horizontalError", "depthError", "magError", "magNst"], uncertainties)) | dict(
        time=moment(p["time"]), updated=moment(p["updated"]), latitude=latitude, longitude=longitude, depth=depth,
        id=feature["id"], locationSource=p["net"], magSource=None if p["mag"] is None else p["net"])
    return [values[column] for column in COLUMNS]


def write_csv(path, features):
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows(csv_row(feature) for feature in features)
    write(path, text.getvalue())


def write_feeds():
    day_2 = NEW_IN_DAY_2 + [CHANGED_IN_DAY_2.get(f["id"], f) for f in DAY_1 if f["id"] not in AGED_OUT_IN_DAY_2]
    month = [
        OF["us7000zzay"],
        quake("us", "7000zyk2", "2026-02-28 14:05:36.417", 7.1, "120 km S of Vatuira, Lorne Islands", lon=-178.1163, lat=-21.0375, depth=551.29, magType="mww", felt=58, cdi=5.1, mmi=4.877, alert="green", tsunami=1, types="dyfi,losspager,moment-tensor,origin,phase-data,shakemap", nst=211, dmin=3.884, rms=0.71, gap=19, status="reviewed", sig=810, updated="2026-03-11 20:15:09.040"),
        quake("us", "7000zxq8", "2026-02-19 03:41:22.950", 6.6, "17 km WNW of Karaköprü, Türkiye", lon=38.6206, lat=37.2219, depth=11.5, magType="mww", felt=1243, cdi=8.4, mmi=8.209, alert="orange", types="dyfi,ground-failure,losspager,moment-tensor,origin,phase-data,shakemap", nst=188, dmin=0.602, rms=0.66, gap=22, status="reviewed", sig=1902, updated="2026-03-09 11:02:44.040"),
    ]
    historic = [queried(f) for f in [
        quake("av", "91880102", "2018-01-18 05:56:17.200", None, "4 km N of Mount Kasilan, Alaska", lon=-153.1981, lat=59.4177, depth=2.69, magType=None, nst=8, rms=0.07, gap=204, updated="2018-01-19 11:47:02.188", status="reviewed"),
        quake("mb", "80880404", "2017-01-22 00:07:38.190", 0.4, "36 km SSW of Three Bends, Montana", lon=-111.6753333, lat=45.5756667, depth=3.86, tz=-420, magType="md", nst=4, dmin=0.038, rms=0.08, gap=162, updated="2017-01-22 00:25:52.830", status="reviewed", types="geoserve,origin,phase-data", horizontalError=0.42, depthError=31.61, magError=None, magNst=3, locationSource="mb"),
        quake("iscgem", "990813", "1954-12-16 11:07:11.000", 6.8, "Silver Basin, Nevada", lon=-118.1, lat=39.2, depth=15, magType="mw", nst=None, dmin=None, rms=None, gap=None, updated="2024-04-26 17:35:20.651", status="reviewed", ids="ushis9101,iscgem990813", sources="ushis,iscgem", types="impact-text,origin,shakemap", mmi=7.9, sig=711),
        quake("ushis", "9043", "1904-08-27 21:56:00.000", 7.3, None, lon=-148.08, lat=64.66, depth=None, magType="ms", nst=None, dmin=None, rms=None, gap=None, updated="2018-06-04 20:37:04.000", status="reviewed", types="impact-text,origin"),
        quake("official", "18681021155300000", "1868-10-21 15:53:00.000", 6.8, "The 1868 Alder Valley Earthquake", lon=-122.1, lat=37.7, depth=None, magType="mla", nst=None, dmin=None, rms=None, gap=None, updated="2021-11-03 22:13:37.341", status="reviewed", ids="ushis9005,official18681021155300000", sources="ushis,official", types="general-header,impact-text,origin,trump-origin"),
    ]]

    def old(net, code, time, mag, place, magType, status, **rest):
        f = quake(net, code, "2014-02-" + time, mag, place, magType=magType, status=status, tz=-480, tsunami=None, **rest)
        p = f["properties"]
        p["url"], p["detail"] = p["url"].replace("https", "http"), p["detail"].replace("https", "http")
        del p["title"]
        return f
    schema_2014 = [
        old("nc", "72990421", "05 12:23:09.400", 0.9, "5km WSW of Cobalt Flat, California", "Md", "AUTOMATIC", updated="2014-02-05 12:24:48.016", lon=-119.027, lat=37.6327, depth=5.8, types="general-link,geoserve,nearby-cities,origin,phase-data", nst=None, dmin=0, rms=0.04, gap=82.8),
        old("us", "c000zz5d", "05 11:51:04.950", 4.9, "97km NE of Puerto Almendra, Chile", "mb", "REVIEWED", lon=-69.5337, lat=-21.4608, depth=32.91, felt=1, cdi=5.5, types="cap,dyfi,general-link,geoserve,nearby-cities,origin,phase-data,tectonic-summary", nst=None, dmin=0.417, rms=1.35, gap=108),
        old("uw", "60990112", "05 01:14:50.100", 1.6, "10km E of Fern Prairie, Washington", "Ml", "REVIEWED", lon=-122.24, lat=46.61, depth=-0.2, type="quarry", nst=11, dmin=0.18918918, rms=0.2, gap=79.2),
        old("ak", "11990182", "04 18:40:12.000", 2.6, "22km SSW of Tolsa Lake, Alaska", "Ml", "REVIEWED", lon=-150.0028, lat=61.9714, depth=17.5, nst=None, dmin=None, rms=0.56, gap=None),
    ]
    document_2014 = feed("all_day", "2014-02-05 12:26:49", schema_2014, api="1.0.13")
    document_2014["metadata"]["url"] = document_2014["metadata"]["url"].replace("https", "http")

    hostile_places = [
        "\x1b[31m3 km N of Red Town\x1b[0m", "first line\nsecond line", "before\tafter", "before\x07after",
        "safe \u202eexe.gnp", "=cmd|' /C calc'!A1", "'); DROP TABLE quakes;--", "<script>alert(1)</script> & <b>bold</b>",
        "5 km S of \"Quoted\", Comma, and 'Single'", "神奈川県西部の深さ十キロメートル", "Pa\u0304ha\u0308la\u0301\u0301\u0301 Z\u0351\u036b\u0343\u036ao\u034c\u0342 \U0001f30b\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\x9b31m eight-bit control\x7f", "\x1b]0;window title\x07 and \x1b]8;;https://example.invalid\x1b\\link\x1b]8;;\x1b\\",
        "carriage\rreturn \u2028line\u2029paragraph", "back\\slash \\u001b[31m not an escape", "-1+1", "@SUM(1+1)", "", "x" * 4000,
    ]
    hostile = [quake("us", f"7000zh{i:02}", f"11:{55 - i:02}:00.250", 1.5, place, lon=-117.5 + i / 8, lat=35 + i / 8)
               for i, place in enumerate(hostile_places)]
    hostile.append(quake("us", "7000zh90", "11:20:00.250", 1.5, "Words elsewhere", magType="\x1b[2J", type="<i>quake</i>", alert="=1+1",
                         status="reviewed\x1b[0m", types="origin,\x1b[31mred", tz=0))

    feeds = {
        "all_day-1": feed("all_day", "12:00:00", DAY_1),
        "all_day-2": feed("all_day", "13:00:00", day_2),
        "all_hour": feed("all_hour", "12:00:20", [f for f in DAY_1 if f["properties"]["time"] >= t("11:00:20")]),
        "2.5_day": feed("2.5_day", "12:00:40", [f for f in DAY_1 if (f["properties"]["mag"] or 0) >= 2.45]),
        "significant_month": feed("significant_month", "12:01:00", month),
        "empty_hour": feed("significant_hour", "12:01:20", []),
        "fdsn-query": feed(QUERY_URL, "12:05:00", historic),
        "old-schema-2014": document_2014,
        "hostile": feed("all_day", "12:00:00", hostile),
    }
    for name, document in feeds.items():
        write(f"feeds/{name}.geojson", published(document))
    write_csv("feeds/all_day-1.csv", DAY_1)


# --- malformed/ ---------------------------------------------------------------------------------

GOOD = [
    quake("ci", "49000201", "11:40:10.250", 1.14, "5 km WSW of Marlow Springs, CA"),
    quake("hv", "79000202", "11:20:20.500", 2.36, "4 km S of Pāhola, Hawaii", lon=-155.45, lat=19.17, depth=31.5),
    quake("us", "7000zz03", "10:05:30.750", 4.7, "25 km E of Åsgrunn, Jan Mayen region", lon=-8.3125, lat=71.2, depth=10),
]
FOURTH = quake("nc", "79100204", "09:30:40.125", 1.8, "7 km NW of Cobalt Flat, CA", lon=-122.8481, lat=38.8715, depth=1.96)


def write_malformed():
    expected = []
    good = feed("all_day", "12:00:00", GOOD)
    text = published(good)

    def add(file, content, outcome, why, skipped=0, inserted=0):
        write(f"malformed/{file}", content)
        expected.append(dict(file=file, outcome=outcome, exit=65 if outcome == "refused" else 0, why=why, skipped=skipped, inserted=inserted))

    def refused(file, content, why):
        add(file, content, "refused", why)

    def skipped(file, bad, why):
        document = feed("all_day", "12:00:00", GOOD)
        document["features"].append(bad)
        document["metadata"]["count"] += 1
        add(file, published(document), "skipped", why, skipped=1, inserted=3)

    def accepted(file, content, why, inserted=3):
        add(file, content, "accepted", why, inserted=inserted)

    def without(mapping, key):
        return {k: v for k, v in mapping.items() if k != key}

    def with_properties(**changes):
        bad = copy.deepcopy(FOURTH)
        bad["properties"].update(changes)
        return bad

    def at(coordinates):
        return FOURTH | {"geometry": {"type": "Point", "coordinates": coordinates}}

    head, tail = text.index('{"type":"Feature"'), text.rindex(',"bbox"')
    between = text.index(",\n") + 2
    features = text[head:tail - 1]
    refused("empty-file.geojson", "", "The body is empty: no document at all.")
    refused("html-page.geojson", "<!DOCTYPE html>\n<html><head><title>Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>\n", "An HTML error page with status 200 is not a feed.")
    refused("truncated-mid-feature.geojson", text[:between + 180], "The body was cut inside the second feature.")
    refused("truncated-between-features.geojson", text[:between], "The body was cut after the first feature and its comma.")
    refused("truncated-before-last-brace.geojson", text[:-1], "Only the last closing brace is missing.")
    refused("trailing-garbage.geojson", text + "<!-- served by replica 3 -->", "Something follows the document.")
    refused("two-documents.geojson", text + "\n" + text, "A second document follows the first.")
    refused("not-an-object.geojson", "[" + text + "]", "The document is an array, not an object.")
    refused("bare-feature.geojson", compact(GOOD[0]), "A bare Feature is the detail feed of one quake, not a list.")
    refused("type-not-feature-collection.geojson", text.replace('"FeatureCollection"', '"GeometryCollection"', 1), "The type is not FeatureCollection.")
    refused("features-missing.geojson", published(without(good, "features")), "There is no member `features`.")
    refused("features-not-an-array.geojson", text[:head - 1] + "{}" + text[tail:], "The member `features` is an object.")
    refused("features-null.geojson", text[:head - 1] + "null" + text[tail:], "The member `features` is null.")
    refused("metadata-status-404.geojson", published(feed("all_day", "12:00:00", [], status=404, error="Not found")), "The metadata say status 404 inside a response of status 200.")
    refused("metadata-status-500.geojson", published(feed("all_day", "12:00:00", GOOD, status=500)), "The metadata say status 500, although features are there.")
    refused("invalid-utf8-in-structure.geojson", text[:between].encode() + b"\xff\xfe" + text[between:].encode(), "Two bytes that are never UTF-8 stand between two features.")
    refused("extra-closing-bracket.geojson", text[:tail] + "]" + text[tail:], "The array of features is closed twice.")
    refused("mismatched-bracket.geojson", text[:tail - 1] + "}" + text[tail:], "The array of features is closed with a brace.")
    refused("missing-comma-between-features.geojson", text[:between - 2] + "\n" + text[between:], "Two features stand side by side without a comma.")
    epoch = feed("all_day", "12:00:00", [but(f, time=0, updated=0) for f in GOOD + [FOURTH, OF["us7000zz9d"]]])
    refused("epoch-incident.geojson", published(epoch), "Every time and updated is 0, as on 2024-10-07/08: all quakes lie outside the day's window.")

    skipped("mag-is-a-string.geojson", with_properties(mag="1.8"), "`mag` of the last feature is a string.")
    skipped("time-missing.geojson", FOURTH | {"properties": without(FOURTH["properties"], "time")}, "`time` of the last feature is missing.")
    skipped("time-null.geojson", with_properties(time=None), "`time` of the last feature is null.")
    skipped("geometry-null.geojson", FOURTH | {"geometry": None}, "`geometry` of the last feature is null.")
    skipped("coordinates-too-short.geojson", at([-122.8481]), "The last feature has a longitude only.")
    skipped("coordinates-not-numbers.geojson", at(["-122.8481", "38.8715", 1.96]), "Longitude and latitude of the last feature are strings.")
    skipped("latitude-91.geojson", at([-122.8481, 91, 1.96]), "No place on earth has latitude 91.")
    skipped("id-missing.geojson", without(FOURTH, "id"), "The last feature has no `id`.")
    skipped("id-not-net-and-code.geojson", FOURTH | {"id": "nc79100999"}, "`id` of the last feature is not `net` followed by `code`.")
    skipped("net-missing.geojson", FOURTH | {"properties": without(FOURTH["properties"], "net")}, "`net` of the last feature is missing.")
    skipped("properties-null.geojson", FOURTH | {"properties": None}, "`properties` of the last feature is null.")
    skipped("feature-is-a-number.geojson", 17, "The last feature is the number 17.")
    skipped("feature-is-null.geojson", None, "The last feature is null.")
    skipped("nst-5.5.geojson", with_properties(nst=5.5), "`nst` of the last feature counts stations and is 5.5.")
    skipped("duplicate-id.geojson", but(GOOD[0], mag=1.31), "The last feature repeats the id of the first, which stands first and is kept.")

    def edited(change):
        document = copy.deepcopy(good)
        change(document)
        return document

    accepted("count-mismatch.geojson", published(feed("all_day", "12:00:00", GOOD, count=5)), "`metadata.count` says 5 with 3 features: inserts apply, absences would not count.")

    def unknown(document):
        document["attribution"] = {"text": "invented", "links": ["one", "two"]}
        document["metadata"]["replica"] = "b"
        document["features"][0]["properties"] |= {"depthError": 0.31, "locationSource": "ci", "reviewers": ["a", "b"]}
        document["features"][1]["bbox"] = [-155.45, 19.17, -155.45, 19.17]
        document["features"][2]["geometry"]["crs"] = None
    accepted("unknown-properties.geojson", published(edited(unknown)), "Unknown members at every level, an object and an array among them.")

    def other_numbers(document):
        p = document["features"][0]["properties"]
        p |= dict(mag=1, cdi=3, mmi=4, dmin=0, rms=1, gap=74, felt=5.0, tsunami=0.0, sig=18.0, nst=18.0)
        document["features"][0]["geometry"]["coordinates"] = [-117, 35, 8]
    accepted("integers-and-floats-swapped.geojson", published(edited(other_numbers)), "Integers where floats are meant, and 5.0 where an integer is meant.")
    accepted("bbox-missing.geojson", published(without(good, "bbox")), "`bbox` is missing although there are features.")
    accepted("floats-17-digits.geojson", text.replace('"rms":0.15', '"rms":0.14999999999999999').replace('"mag":2.36', '"mag":2.3599999999999999').replace("-117.5125", "-117.51250000000000"), "One version of the service printed floats with 17 digits.")
    deep = "[" * 60 + '{"a":' * 4 + "1" + "}" * 4 + "]" * 60
    accepted("deep-nesting-in-unknown-property.geojson", text.replace('"tz":null', f'"tz":null,"nested":{deep}', 1), "An unknown property holds 64 levels of arrays and objects.")

    def reversed_feature(f):
        return {"id": f["id"], "geometry": dict(reversed(f["geometry"].items())), "properties": dict(reversed(f["properties"].items())), "type": "Feature"}
    other_order = dict(bbox=good["bbox"], features=[reversed_feature(f) for f in good["features"]], metadata=dict(reversed(good["metadata"].items())), type="FeatureCollection")
    accepted("keys-in-another-order.geojson", published(other_order), "`features` stands before `metadata` and `type`, and every object is the other way round.")
    accepted("pretty-printed.geojson", json.dumps(good, ensure_ascii=False, indent=4).replace('": ', '"  :\t').replace("\n", "\r\n") + "\r\n\r\n", "Indented, with spaces before and tabs after the colons and CRLF line ends.")
    accepted("byte-order-mark.geojson", b"\xef\xbb\xbf" + text.encode(), "A UTF-8 byte order mark stands at the start.")
    accepted("trailing-newline.geojson", text + " \r\n\n", "White space after the document is no garbage.")
    awkward = ['a } brace, a { brace, ],[ brackets', 'an "escaped" quote \\" and \\', '"features":[{"type":"Feature"}],"id":"us1"}\\']
    accepted("brackets-and-quotes-in-strings.geojson", published(feed("all_day", "12:00:00", [but(f, place=p) for f, p in zip(GOOD, awkward)])), "Strings hold braces, brackets, escaped quotes and backslashes, and one looks like a feature.")
    accepted("escaped-unicode.geojson", published(feed("all_day", "12:00:00", [but(GOOD[0], place="PLACE")] + GOOD[1:])).replace("PLACE", "4 km S of P\\u0101hola \\ud83c\\udf0b \\/ \\u0022"), "Characters are written as \\u escapes, a surrogate pair among them.")
    accepted("single-feature.geojson", published(feed("all_day", "12:00:00", GOOD[:1])), "One feature, no comma between features.", inserted=1)
    accepted("no-features.geojson", published(feed("all_day", "12:00:00", [])), "An empty feed is legal.", inserted=0)
    write("malformed/EXPECTED.json", "[\n" + ",\n".join(json.dumps(e, ensure_ascii=False) for e in expected) + "\n]\n")


# --- stories/ -----------------------------------------------------------------------------------

FIRST_ABSENCE_COUNTS = dict(confirm_snapshots=1, confirm_after_seconds=0)
STORIES = []


def story(name, title, rules, why, *steps, settings=None):
    STORIES.append((name, dict(title=title, rules=", ".join(map(str, rules)), why=why) | ({"settings": settings} if settings else {}), steps))


def step(feed_name, generated, quakes, *expected, edit=None, **options):
    return feed_name, generated, quakes, expected, edit, options


def new(*ids, reason="new"):
    return [dict(op="insert", reason=reason, id=id) for id in ids]


def revised(id, *changed):
    return [dict(op="update", reason="revised", id=id, changed=sorted(changed))]


def renamed(previous, id, *changed):
    return [dict(op="update", reason="renamed", id=id, changed=sorted(changed), previous_id=previous)]


def retracted(*ids):
    return [dict(op="delete", reason="retracted", id=id) for id in ids]


def merged(id, into):
    return [dict(op="delete", reason="merged", id=id, merged_into=into)]


def unconfirmed(*ids):
    return [dict(unconfirmed=list(ids))]


REFUSED = [dict(exit=65)]


def write_stories():
    for name, about, steps in STORIES:
        lines = []
        for number, (feed_name, generated, quakes, expected, edit, options) in enumerate(steps, 1):
            if feed_name == "csv":
                write_csv(f"stories/{name}/{number:02}.csv", quakes)
            else:
                text = published(feed(feed_name, generated, quakes, **options), lines=True)
                write(f"stories/{name}/{number:02}.geojson", edit(text) if edit else text)
            lines += [compact(dict(step=f"{number:02}") | change) for changes in expected for change in changes]
        write(f"stories/{name}/expected.ndjson", "".join(line + "\n" for line in lines))
        write(f"stories/{name}/story.json", json.dumps(about, ensure_ascii=False, indent=2) + "\n")


# Every quake that a later step brings happened less than an hour before the snapshots that came before, or it would be `late`.
A = quake("ci", "49000301", "11:50", 2.1)
B = quake("nc", "79100302", "11:30", 1.6, "7 km NW of Cobalt Flat, CA", lon=-122.85, lat=38.87)
C = quake("hv", "79000303", "10:10", 2.4, "4 km S of Pāhola, Hawaii", lon=-155.45, lat=19.17, depth=31.5)
ISLAND = dict(lon=-67.4125, lat=18.8303, depth=27.5)
PT = quake("pt", "26990001", "11:50", 3.4, "40 km NNW of Isla Serena, Puerto Rico", magType="ml", **ISLAND | dict(depth=24))
US = quake("us", "7000zz01", "11:50", 3.5, "41 km NNW of Isla Serena, Puerto Rico", magType="mb", **ISLAND)
PR = quake("pr", "2026990001", "11:50", 3.3, "41 km NNW of Isla Serena, Puerto Rico", magType="md", **ISLAND)
QUARTERS = ["12:00", "12:15", "12:30", "12:45", "13:00", "13:15", "13:30", "13:45", "14:00", "14:15", "14:30"]

# Identity
OK = quake("ok", "2026zzab", "11:20", 1.9, "6 km NE of Cedar Hollow, Oklahoma", lon=-97.4, lat=36.12)
TX = quake("tx", "2026zzab", "11:40", 2.2, "37 km NNW of Dry Fork, Texas", lon=-101.866, lat=32.271)
story("same-code-two-networks", "Two networks use one code for two quakes", [1],
      "41 codes were used by two networks; one real feed holds two quakes 500 km apart under one code.",
      step("all_day", "12:00", [OK, TX], new("ok2026zzab", "tx2026zzab")),
      step("all_day", "12:15", [but(OK, mag=2.0, updated="12:10"), TX], revised("ok2026zzab", "mag", "updated")))

AKA = quake("ak", "a2026zzaabb", "11:40", 1.8, "31 km NW of Tolsa Lake, Alaska")
AUTO = quake("usauto", "7000zz02", "11:30", 4.4, "South of the Lorne Islands")
OFFICIAL = quake("official", "20260314112000000", "11:20", 5.1, "The Lorne Islands Earthquake")
story("id-is-not-split", "Networks have two to eight letters and codes may begin with a letter", [2],
      "Since 2026 ids such as aka2026… belong to net ak and code a2026…; usauto and official are networks too.",
      step("all_day", "12:00", [AKA, AUTO, OFFICIAL], new("aka2026zzaabb", "usauto7000zz02", "official20260314112000000")),
      step("all_day", "12:15", [but(AKA, rms=0.2, updated="12:01"), but(AUTO, gap=60, updated="12:02"), but(OFFICIAL, mag=5.2, updated="12:03")],
           revised("aka2026zzaabb", "rms", "updated"), revised("usauto7000zz02", "gap", "updated"), revised("official20260314112000000", "mag", "updated")))

US_A = quake("us", "7000zz03", "11:50", 2.3, magType="mb", updated="11:58")
CI_A = quake("ci", "49000304", "11:50", 2.1, ids="us7000zz03,ci49000304", sources="us,ci", updated="12:09")
RENAME = ("net", "code", "ids", "sources", "updated")
story("rename", "Another network takes a quake over and lists the old id", [3],
      "4.7 % of the ids of a region were superseded; the new feature lists the old id in ids.",
      step("all_day", "12:00", [US_A], new("us7000zz03")),
      step("all_day", "12:15", [CI_A], renamed("us7000zz03", "ci49000304", *RENAME, "mag", "magType", "sig"), unconfirmed()))

story("rename-chain", "A quake changes its id twice within two refreshes", [3, 5],
      "pt → us → pr was seen within two refreshes; the last feature need not list every older id.",
      step("all_day", "12:00", [PT], new("pt26990001")),
      step("all_day", "12:10", [but(US, ids="pt26990001,us7000zz01", sources="pt,us", updated="12:05")],
           renamed("pt26990001", "us7000zz01", *RENAME, "depth", "mag", "magType", "place", "sig")),
      step("all_day", "12:20", [but(PR, ids="us7000zz01,pr2026990001", sources="us,pr", updated="12:15")],
           renamed("us7000zz01", "pr2026990001", *RENAME, "mag", "magType", "sig"), unconfirmed()),
      step("all_day", "12:30", [but(PT, mag=3.3, magType="md", sig=PR["properties"]["sig"], updated="12:25")],
           renamed("pr2026990001", "pt26990001", *RENAME, "depth", "place"), unconfirmed()))

story("rename-and-back", "A quake takes another id and then its first id again", [3],
      "us → pr and pr → us both occur (112 and 1 times); both are renames of one quake.",
      step("all_day", "12:00", [US], new("us7000zz01")),
      step("all_day", "12:15", [but(PR, ids="us7000zz01,pr2026990001", sources="us,pr", updated="12:10")],
           renamed("us7000zz01", "pr2026990001", *RENAME, "mag", "magType", "sig")),
      step("all_day", "12:30", [but(US, ids="us7000zz01,pr2026990001", sources="us,pr", updated="12:25")],
           renamed("pr2026990001", "us7000zz01", "net", "code", "updated", "mag", "magType", "sig"), unconfirmed()))

story("ids-of-another-case", "The old id is listed in capitals", [2],
      "Ids are looked up case-insensitively, so a rename is still a rename.",
      step("all_day", "12:00", [US_A], new("us7000zz03")),
      step("all_day", "12:15", [but(CI_A, ids="US7000ZZ03,ci49000304")], renamed("us7000zz03", "ci49000304", *RENAME, "mag", "magType", "sig"), unconfirmed()))

AK = quake("ak", "a2026zzccdd", "11:50", 3.1, "41 km NNW of Isla Serena, Puerto Rico", **ISLAND)
BOTH = but(US, ids="us7000zz01,aka2026zzccdd", sources="us,ak", updated="12:25")
story("merge", "Two quakes turn out to be one, which keeps the older id", [3],
      "1 of 117 superseded ids of a region was superseded by an id already listed.",
      step("all_day", "12:00", [US], new("us7000zz01")),
      step("all_day", "12:15", [US, AK], new("aka2026zzccdd")),
      step("all_day", "12:30", [BOTH], merged("aka2026zzccdd", into="us7000zz01"), revised("us7000zz01", "ids", "sources", "updated"), unconfirmed()))

story("merge-renames-the-oldest", "Two quakes turn out to be one, which goes on under the younger id", [3],
      "The oldest local quake stays, so it is renamed to the id that the deleted one had.",
      step("all_day", "12:00", [US], new("us7000zz01")),
      step("all_day", "12:15", [US, PR], new("pr2026990001")),
      step("all_day", "12:30", [but(PR, ids="us7000zz01,pr2026990001", sources="us,pr", updated="12:25")],
           merged("pr2026990001", into="pr2026990001"),
           renamed("us7000zz01", "pr2026990001", *RENAME, "mag", "magType", "sig"), unconfirmed()))

story("merge-of-three", "Three quakes of three networks turn out to be one", [3],
      "Two or more known aliases: the oldest stays, all others end as deletions.",
      step("all_day", "12:00", [PT], new("pt26990001")),
      step("all_day", "12:10", [PT, US], new("us7000zz01")),
      step("all_day", "12:20", [PT, US, PR], new("pr2026990001")),
      step("all_day", "12:30", [but(PR, ids="pt26990001,us7000zz01,pr2026990001", sources="pt,us,pr", updated="12:25")],
           merged("us7000zz01", into="pr2026990001"), merged("pr2026990001", into="pr2026990001"),
           renamed("pt26990001", "pr2026990001", *RENAME, "depth", "mag", "magType", "place", "sig"), unconfirmed()))

story("split", "An alias comes back as a feature of its own", [3],
      "An old id that is listed beside its quake is a quake of its own: an insert, and the alias moves.",
      step("all_day", "12:10", [CI_A], new("ci49000304")),
      step("all_day", "12:20", [but(CI_A, ids="ci49000304", sources="ci", updated="12:18"), US_A],
           new("us7000zz03", reason="split"), revised("ci49000304", "ids", "sources", "updated")),
      step("all_day", "12:30", [but(CI_A, ids="ci49000304", sources="ci", updated="12:18"), but(US_A, mag=2.4, updated="12:25")],
           revised("us7000zz03", "mag", "updated"), unconfirmed()))

story("split-after-merge", "Two quakes that were merged are two again", [3],
      "A merge is no retraction: the id that was an alias of the survivor is split off it.",
      step("all_day", "12:00", [US], new("us7000zz01")),
      step("all_day", "12:10", [US, AK], new("aka2026zzccdd")),
      step("all_day", "12:20", [but(BOTH, updated="12:15")], merged("aka2026zzccdd", into="us7000zz01"), revised("us7000zz01", "ids", "sources", "updated")),
      step("all_day", "12:30", [but(US, updated="12:25"), but(AK, updated="12:24")],
           new("aka2026zzccdd", reason="split"), revised("us7000zz01", "ids", "sources", "updated")))

SHARED_1 = quake("ci", "49000305", "11:50", 2.2, ids="at00zz9001,ci49000305", sources="at,ci")
SHARED_2 = quake("nn", "00990306", "11:45", 2.0, "26 km ESE of Silver Basin, Nevada", ids="at00zz9001,nn00990306", sources="at,nn")
story("shared-alias-in-one-snapshot", "Two listed quakes share an alias", [4],
      "In all_week of 2014-04-15 one id stands in the ids of two different quakes that are both listed; they stay two when a later snapshot misses one.",
      step("all_day", "12:00", [SHARED_1, SHARED_2], new("ci49000305", "nn00990306")),
      step("all_day", "12:15", [but(SHARED_1, mag=2.3, updated="12:10"), SHARED_2], revised("ci49000305", "mag", "updated")),
      step("all_day", "12:30", [but(SHARED_1, mag=2.3, updated="12:10"), but(SHARED_2, rms=0.2, updated="12:20")], revised("nn00990306", "rms", "updated"), unconfirmed()),
      step("all_day", "12:45", [but(SHARED_2, rms=0.3, updated="12:40")], revised("nn00990306", "rms", "updated"), unconfirmed("ci49000305")),
      step("all_day", "13:00", [but(SHARED_1, mag=2.4, updated="12:50")], revised("ci49000305", "mag", "updated"), unconfirmed("nn00990306")),
      step("all_day", "13:15", [but(SHARED_1, mag=2.4, updated="12:50"), but(SHARED_2, rms=0.3, updated="12:40")], unconfirmed()))

EXACT = quake("nn", "00990307", "11:50", 2.2)
story("exact-id-wins", "A feature lists the id of another listed feature", [4],
      "The exact id wins over an alias: two features of one snapshot are never merged.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [A, but(EXACT, ids="ci49000301,nn00990307", sources="ci,nn")], new("nn00990307")),
      step("all_day", "12:30", [but(A, mag=2.2, updated="12:20"), but(EXACT, ids="ci49000301,nn00990307", sources="ci,nn", mag=2.3, updated="12:21")],
           revised("ci49000301", "mag", "updated"), revised("nn00990307", "mag", "updated"), unconfirmed()))

RECODED = quake("us", "7000zz09", "11:50", 3.5, "41 km NNW of Isla Serena, Puerto Rico", magType="mb", ids="us7000zz01,us7000zz09", **ISLAND)
story("recoded-within-network", "A quake gets another id of its own network, and the old one returns", [3, 4],
      "A complete feed should list both quakes if there were two; when it does, they are two.",
      step("all_day", "12:00", [US], new("us7000zz01")),
      step("all_day", "12:15", [RECODED], renamed("us7000zz01", "us7000zz09", "code", "ids"), unconfirmed()),
      step("all_day", "12:30", [US, RECODED], new("us7000zz01", reason="split"), unconfirmed()))

# Absence
story("ages-out", "A quake leaves the hour", [6], "A window is by origin time at generated, 3,600 s for the hour: leaving it is no change.",
      step("all_hour", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_hour", "12:31", [A], unconfirmed()),
      step("all_hour", "12:51", [], unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

OLD_EDGE = quake("ci", "49000308", "11:10:30", 1.5)
NEW_EDGE = quake("ci", "49000309", "12:09:30", 1.7, updated="12:09:58")
story("margin-of-the-window", "Quakes at both ends of the window are missing", [7],
      "Absence counts inside the window with a margin, 60 s at both ends, for the replicas disagree about seconds.",
      step("all_hour", "12:10", [OLD_EDGE, A, NEW_EDGE], new("ci49000308", "ci49000301", "ci49000309")),
      step("all_hour", "12:10:05", [A], unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

BAND = quake("ok", "2026zzac", "11:40", 2.5, "6 km NE of Cedar Hollow, Oklahoma")
story("leaves-banded-feed", "A quake is revised down and leaves the 2.5 feed", [7],
      "In 26 months 1,127 quakes were revised down across 2.5: leaving a banded feed is not deletion.",
      step("2.5_day", "12:00", [BAND, US], new("ok2026zzac", "us7000zz01")),
      step("2.5_day", "12:15", [US], unconfirmed()),
      step("all_day", "12:30", [but(BAND, mag=2.4, updated="12:10"), US], revised("ok2026zzac", "mag", "updated"), unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

ASKED = QUERY + "format=geojson&starttime=2026-03-14T10%3A00%3A00&endtime=2026-03-14T12%3A00%3A00&limit=20000&offset=1&orderby=time"
story("event-service-absence", "The same query for all quakes of two hours answers with one quake less", [7],
      "Absence counts only in an all_* feed, even where a query has no limits but those of time.",
      step(ASKED, "12:00", [queried(A), queried(B)], new("ci49000301", "nc79100302")),
      step(ASKED, "12:15", [queried(A)], unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

story("event-service-limits", "A query with a least magnitude, and one that ends at its limit, leave quakes out", [7],
      "A quake that was revised below the least magnitude, or stands beyond the limit, is not gone.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step(ASKED + "&minmagnitude=2", "12:10", [queried(A)], unconfirmed()),
      step(ASKED.replace("limit=20000", "limit=1"), "12:20", [queried(A)], unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

story("event-service-lists-the-missing", "A query lists the quake that the feed misses", [7, 8],
      "What an answer lists is there: it contradicts an absence like a listing in any feed.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [A], unconfirmed("nc79100302")),
      step(ASKED, "12:20", [A, B], unconfirmed()),
      step("all_day", "12:30", [A], unconfirmed("nc79100302")))

story("vanishes-and-returns", "A quake is missing five times over an hour and returns", [8],
      "Of 15,932 absences inside the window 66 % came back, 4,229 of them within 2 to 5 snapshots.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A], unconfirmed("nc79100302")) for when in QUARTERS[1:6]],
      step("all_day", "13:30", [A, B], unconfirmed()))

story("misses-start-again", "A quake is missing five times, returns, and is missing five times again", [13],
      "One snapshot that lists the quake discards the absence, so ten misses in all are not six in a row.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A]) for when in ["12:15", "12:30", "12:45", "13:00", "13:15"]],
      step("all_day", "13:30", [A, B], unconfirmed()),
      *[step("all_day", when, [A], unconfirmed("nc79100302")) for when in ["13:45", "14:00", "14:15", "14:30", "14:45"]])

story("retracted-after-six", "A quake is missing in six snapshots over more than an hour", [13],
      "Six misses over at least an hour would have spared 9,764 of 10,445 false deletions.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A], unconfirmed("nc79100302")) for when in QUARTERS[1:6]],
      step("all_day", "13:30", [A], retracted("nc79100302"), unconfirmed()),
      step("all_day", "13:45", [A]))

FAST = ["12:04", "12:08", "12:12", "12:16", "12:20", "12:24"]
story("six-misses-too-fast", "A quake is missing six times within twenty minutes", [13],
      "A frozen replica can be asked many times in a row: six misses must also span an hour.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A], unconfirmed("nc79100302")) for when in FAST])

story("seventh-miss-at-one-hour", "The hour is full at the seventh miss, to the second", [13],
      "The span is counted from the first snapshot without the quake, and exactly 3,600 s are enough.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A]) for when in FAST],
      step("all_day", "13:03:59", [A], unconfirmed("nc79100302")),
      step("all_day", "13:04:00", [A], retracted("nc79100302"), unconfirmed()))

story("first-absence-deletes", "With both figures at their lowest the first absence deletes", [13],
      "Both figures are settings: one snapshot, over no time, confirms a change.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [A], retracted("nc79100302")), settings=FIRST_ABSENCE_COUNTS)

story("restored-same-key", "A retracted quake returns", [8, 13],
      "104 absences ended after more than 50 snapshots: the quake returns with its local key and is not `new`.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [A], retracted("nc79100302")),
      step("all_day", "12:30", [A, B], new("nc79100302", reason="restored")),
      step("all_day", "12:45", [A, but(B, mag=1.7, updated="12:40")], revised("nc79100302", "mag", "updated")), settings=FIRST_ABSENCE_COUNTS)

story("restored-under-another-id", "A retracted quake returns under the id of another network", [3, 5, 8, 13],
      "Every old id still finds its quake, for ever, also when the quake was deleted in between.",
      step("all_day", "12:00", [US_A, B], new("us7000zz03", "nc79100302")),
      step("all_day", "12:15", [B], retracted("us7000zz03")),
      step("all_day", "12:30", [CI_A, B], new("ci49000304", reason="restored")), settings=FIRST_ABSENCE_COUNTS)

story("empty-is-legal", "A quiet hour", [8], "An empty feed has no bbox and features []; it is a snapshot like any other.",
      step("all_hour", "12:00", [A], new("ci49000301")),
      step("all_hour", "13:00", [], unconfirmed()),
      step("all_hour", "13:15", [quake("ci", "49000310", "13:05", 1.2)], new("ci49000310")))

# Order and time
story("older-file", "A file of a quarter of an hour ago is read", [10],
      "generated orders snapshots: one that is older than the last applied of its feed adds what is not known, and no more.",
      step("all_day", "12:15", [but(A, mag=2.3, updated="12:10"), B], new("ci49000301", "nc79100302")),
      step("all_day", "12:00", [A, C], new(C["id"]), unconfirmed()),
      step("all_day", "12:30", [but(A, mag=2.3, updated="12:10"), but(B, rms=0.2, updated="12:20")], revised("nc79100302", "rms", "updated"), unconfirmed("hv79000303")))

story("csv-between-feeds", "A CSV file between two feeds brings uncertainties", [24],
      "CSV has no ids, no felt reports and no products; feeds have no uncertainties, which are those of one solution.",
      step("all_day", "12:00", [but(A, felt=3), B], new("ci49000301", "nc79100302")),
      step("csv", None, [but(A, nst=20, updated="12:05")], revised("ci49000301", "nst", "updated", *ERRORS), unconfirmed()),
      step("all_day", "12:10", [but(A, felt=4, nst=20, updated="12:05"), B], revised("ci49000301", "felt")),
      step("all_day", "12:20", [but(A, felt=4, nst=20, mag=2.3, updated="12:15"), B], revised("ci49000301", "mag", "updated", *ERRORS)),
      step("csv", None, [but(A, nst=20, updated="12:05")], unconfirmed()))

EARLY = quake("nn", "00990311", "05:00", 1.1, "26 km ESE of Silver Basin, Nevada")
story("across-feeds-older-does-not-undo", "The day feed is two minutes older than the hour feed", [10],
      "Feeds fetched together disagree in 56 of 496 runs: an older snapshot never changes a quake, but may bring one.",
      step("all_hour", "12:10", [but(A, place="Marlow Springs area, California"), but(B, mag=1.8, updated="12:05")], new("ci49000301", "nc79100302")),
      step("all_day", "12:08", [A, B, EARLY], new("nn00990311"), unconfirmed()))

story("across-feeds-older-absence", "The older day feed does not list the newest quake yet", [7, 10],
      "Absence counts only in a snapshot newer than any applied.",
      step("all_hour", "12:10", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:08", [B], unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

story("unconfirmed-dropped-by-another-feed", "The hour lists what the day misses", [10, 13],
      "A newer snapshot of any feed that lists the quake contradicts its absence.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [B], unconfirmed("ci49000301")),
      step("all_hour", "12:20", [A, B], unconfirmed()),
      step("all_day", "12:30", [B], unconfirmed("ci49000301")),
      step("all_day", "12:45", [B], retracted("ci49000301")), settings=dict(confirm_snapshots=2, confirm_after_seconds=0))

story("updated-moves-alone", "Only the stamp moves", [11], "updated moved alone in 4 to 8 % of its moves: that is an update of one property.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, updated="12:10")], revised("ci49000301", "updated")),
      step("all_day", "12:30", [but(A, updated="12:10")]))

story("same-stamp-new-content", "The magnitude changes while the stamp stands still", [11],
      "In 5.8 % of changes content changed with updated standing still: the stamp is no version.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, mag=2.3)], revised("ci49000301", "mag")),
      step("all_day", "12:30", [A], revised("ci49000301", "mag")))

# Place names
ELSEWHERE = "Central Lorne Islands"
OTHER_NAME = but(A, place=ELSEWHERE)
story("place-name-flips", "Two servers name the place differently and answer in turn", [11, 13],
      "1.2 million place flips in 2023: with the hypocenter unmoved, another name is unconfirmed.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [OTHER_NAME], unconfirmed("ci49000301")),
      step("all_day", "12:30", [A], unconfirmed()),
      step("all_day", "12:45", [OTHER_NAME], unconfirmed("ci49000301")),
      step("all_day", "13:00", [A], unconfirmed()))

story("place-name-flips-forty-times", "The name flips at every refresh", [11, 13],
      "In one series all of 40 flips went back to the name the quake had: none of them is an update.",
      step("all_day", "12:00", [A], new("ci49000301")),
      *[step("all_day", f"{12 + i // 12}:{i % 12 * 5:02}", [OTHER_NAME if i % 2 else A], unconfirmed(*["ci49000301"] * (i % 2)))
        for i in range(1, 41)])

story("place-name-flips-with-stamp", "The name flips while updated moves on", [11, 13],
      "The other properties of the feature apply at once; the cached name stays.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(OTHER_NAME, updated="12:10")], revised("ci49000301", "updated"), unconfirmed("ci49000301")),
      step("all_day", "12:30", [but(A, updated="12:20")], revised("ci49000301", "updated"), unconfirmed()),
      step("all_day", "12:45", [but(OTHER_NAME, mag=2.3, updated="12:40")], revised("ci49000301", "mag", "updated"), unconfirmed("ci49000301")),
      step("all_day", "13:00", [but(A, mag=2.3, updated="12:40")], unconfirmed()))

story("place-name-flips-with-older-stamp", "The server with the other name lags behind", [11, 13],
      "A stale stamp and another name are two unconfirmed changes, each decided on its own.",
      step("all_day", "12:00", [but(A, updated="11:58")], new("ci49000301")),
      step("all_day", "12:15", [OTHER_NAME], unconfirmed("ci49000301")),
      step("all_day", "12:30", [A], unconfirmed("ci49000301")),
      step("all_day", "12:45", [but(A, updated="11:58")], unconfirmed()))

LATER = but(OTHER_NAME, mag=2.3, updated="12:40")
story("place-name-accepted", "The other name stays for more than an hour", [11, 13],
      "Six newer snapshots over at least an hour agree on it, whatever else they change: then it is the name.",
      step("all_day", "12:00", [A], new("ci49000301")),
      *[step("all_day", when, [OTHER_NAME], unconfirmed("ci49000301")) for when in QUARTERS[1:3]],
      step("all_day", "12:45", [LATER], revised("ci49000301", "mag", "updated"), unconfirmed("ci49000301")),
      *[step("all_day", when, [LATER], unconfirmed("ci49000301")) for when in QUARTERS[4:6]],
      step("all_day", "13:30", [LATER], revised("ci49000301", "place"), unconfirmed()),
      step("all_day", "13:45", [LATER], unconfirmed()),
      step("all_day", "14:00", [but(LATER, place=A["properties"]["place"])], unconfirmed("ci49000301")))

story("place-name-contradicted", "After five sightings the old name is back", [11, 13],
      "One snapshot with the cached name discards the change: the sixth snapshot with the other name is the first of a new count.",
      step("all_day", "12:00", [A], new("ci49000301")),
      *[step("all_day", when, [OTHER_NAME], unconfirmed("ci49000301")) for when in QUARTERS[1:6]],
      step("all_day", "13:30", [A], unconfirmed()),
      *[step("all_day", when, [OTHER_NAME], unconfirmed("ci49000301")) for when in QUARTERS[7:11]])

story("place-name-of-three-servers", "Two other names are told in turn", [11, 13],
      "Sightings count only while they agree on one name.",
      step("all_day", "12:00", [A], new("ci49000301")),
      *[step("all_day", when, [but(A, place="South of the Lorne Islands") if i % 2 else OTHER_NAME], unconfirmed("ci49000301"))
        for i, when in enumerate(QUARTERS[1:11])])

story("place-name-of-moved-hypocenter", "The quake moves and its place is named anew", [11, 13],
      "The name follows from the hypocenter: with longitude, latitude or depth moved it applies at once.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [OTHER_NAME], unconfirmed("ci49000301")),
      step("all_day", "12:30", [but(OTHER_NAME, lon=-117.6)], revised("ci49000301", "lon", "place"), unconfirmed()),
      step("all_day", "12:45", [but(A, lon=-117.6, depth=9)], revised("ci49000301", "depth", "place"), unconfirmed()))

story("place-name-flips-under-rename", "A quake takes another id, and its place another name", [3, 11, 13],
      "A rename is certain news and applies at once; the name of an unmoved hypocenter is not.",
      step("all_day", "12:00", [US_A], new("us7000zz03")),
      step("all_day", "12:15", [but(CI_A, place=ELSEWHERE)],
           renamed("us7000zz03", "ci49000304", *RENAME, "mag", "magType", "sig"), unconfirmed("ci49000304")),
      step("all_day", "12:30", [CI_A], unconfirmed()),
      step("all_day", "12:45", [but(CI_A, place=ELSEWHERE)], unconfirmed("ci49000304")))

NAMELESS = quake("av", "91990313", "11:50", 1.4, None)
story("place-name-arrives", "A place without a name gets one", [11, 13],
      "A first name contradicts none: it applies at once. A name that vanishes needs confirmation like any other.",
      step("all_day", "12:00", [NAMELESS], new("av91990313")),
      step("all_day", "12:15", [but(NAMELESS, place=ELSEWHERE)], revised("av91990313", "place"), unconfirmed()),
      step("all_day", "12:30", [NAMELESS], unconfirmed("av91990313")))

story("place-name-in-an-answer", "The event service names the place differently", [11, 13],
      "An answer of the event service is a snapshot like any other: one sighting of another name.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step(QUERY_URL, "12:15", [OTHER_NAME], unconfirmed("ci49000301")),
      step("all_day", "12:30", [A], unconfirmed()))

NOW = but(A, mag=2.3, status="reviewed", updated="12:08")
BACK = ("mag", "status", "updated")
story("backwards-stamp-dropped", "A stale replica shows an older state once", [11, 13],
      "updated went backwards 3,430 times, 1,063 times from reviewed to automatic: unconfirmed.",
      step("all_day", "12:10", [NOW], new("ci49000301")),
      step("all_day", "12:15", [A], unconfirmed("ci49000301")),
      step("all_day", "12:20", [NOW], unconfirmed()))

story("backwards-stamp-newer-drops", "After a stale state comes a newer one", [11, 13],
      "A newer `updated` applies at once, whatever was unconfirmed before.",
      step("all_day", "12:10", [NOW], new("ci49000301")),
      step("all_day", "12:15", [A], unconfirmed("ci49000301")),
      step("all_day", "12:20", [but(NOW, mag=2.4, updated="12:18")], revised("ci49000301", "mag", "updated"), unconfirmed()))

story("backwards-stamp-accepted", "The older state stays for more than an hour", [11, 13],
      "Six newer snapshots over at least an hour repeat it: then it is what the network says.",
      step("all_day", "12:10", [NOW], new("ci49000301")),
      *[step("all_day", when, [A], unconfirmed("ci49000301")) for when in QUARTERS[1:6]],
      step("all_day", "13:30", [A], revised("ci49000301", *BACK), unconfirmed()),
      step("all_day", "13:45", [A]))

story("backwards-stamp-too-fast", "The older state is repeated six times within twenty minutes", [11, 13],
      "Six sightings must also span an hour.",
      step("all_day", "12:10", [NOW], new("ci49000301")),
      *[step("all_day", when, [A], unconfirmed("ci49000301")) for when in ["12:14", "12:18", "12:22", "12:26", "12:30", "12:34"]])

STALER = but(A, mag=2.0, updated="11:52")
story("backwards-stamp-changing", "Two stale replicas answer in turn", [11, 13],
      "Only the same backward stamp, repeated, corroborates itself.",
      step("all_day", "12:10", [NOW], new("ci49000301")),
      *[step("all_day", when, [A if i % 2 else STALER], unconfirmed("ci49000301")) for i, when in enumerate(QUARTERS[1:9])])

# Values
SETS = but(A, ids="us7000zz12,ci49000301", sources="us,ci", types="dyfi,nearby-cities,origin,phase-data")
story("set-reordered-no-change", "ids, sources and types come in another order", [12],
      "They are unordered, comma-wrapped sets: re-ordering is no change, a new member is one.",
      step("all_day", "12:00", [SETS], new("ci49000301")),
      step("all_day", "12:15", [but(SETS, ids="ci49000301,us7000zz12", sources="ci,us", types="phase-data,origin,nearby-cities,dyfi")]),
      step("all_day", "12:30", [but(SETS, types="dyfi,nearby-cities,origin,phase-data,shakemap")], revised("ci49000301", "types")))

NUMBERS = but(A, mag=2, dmin=0.06729, rms=0.07, gap=74, nst=18, lon=-111.6753333, lat=45.5756667, depth=3.86)
story("number-17-digits-no-change", "The service prints its numbers differently", [12],
      "One API version printed 0.067290000000000003: numbers are compared as numbers.",
      step("all_day", "12:00", [NUMBERS], new("ci49000301")),
      step("all_day", "12:15", [NUMBERS], edit=lambda s: s.replace("0.06729", "0.067290000000000003").replace('"rms":0.07', '"rms":0.070000000000000007')
           .replace("-111.6753333", "-111.67533330000001").replace("45.5756667", "45.575666699999999").replace("3.86", "3.8599999999999999")
           .replace('"mag":2,', '"mag":2.0,').replace('"gap":74', '"gap":74.0').replace('"nst":18', '"nst":18.0')),
      step("all_day", "12:30", [NUMBERS], edit=lambda s: s.replace('"mag":2,', '"mag":20e-1,').replace("0.06729", "6.729e-2")))

story("derived-is-not-diffed", "title, url and detail change alone", [12],
      "title follows from mag and place, url and detail from the id: they are derived, never diffed.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, title="M2.1, Marlow Springs", url="http://earthquake.usgs.gov/earthquakes/eventpage/ci49000301",
                                    detail=f"{SITE}{QUERY}eventid=ci49000301&format=geojson")]))

BARE = quake("av", "91990312", "11:50", None, "9 km W of Mount Kasilan, Alaska", nst=None, gap=None)
story("null-to-value", "A magnitude arrives, and goes again", [12],
      "18 quakes had no magnitude for up to 15 hours: null to value is a change, and value to null.",
      step("all_day", "12:00", [BARE], new("av91990312")),
      step("all_day", "12:15", [but(BARE, mag=0, magType="ml")], revised("av91990312", "mag", "magType")),
      step("all_day", "12:30", [but(BARE, mag=0, magType="ml", nst=0, felt=0, updated="12:25")], revised("av91990312", "felt", "nst", "updated")),
      step("all_day", "12:45", [BARE | {"geometry": {"type": "Point", "coordinates": [-117.5125, 35.6875, None]},
                                        "properties": BARE["properties"] | {"updated": t("12:40")}}],
           revised("av91990312", "depth", "felt", "mag", "magType", "nst", "updated")))

story("there-and-back", "A magnitude goes up and down again", [12],
      "A → B → A is two updates: nothing is folded away.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, mag=2.2, updated="12:05")], revised("ci49000301", "mag", "updated")),
      step("all_day", "12:30", [but(A, updated="12:20")], revised("ci49000301", "mag", "updated")))

story("case-of-status", "The status is shouted", [12], "status was upper case in 2013 and 2014: it is compared in lower case.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, status="AUTOMATIC")]),
      step("all_day", "12:30", [but(A, status="REVIEWED", updated="12:20")], revised("ci49000301", "status", "updated")),
      step("all_day", "12:45", [but(A, status="reviewed", updated="12:20")]))

story("unknown-property-kept", "A property that nobody knows appears, changes and goes", [12],
      "Unknown properties are kept, not lost: together they are the property `extra`.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, depthError=0.31, reviewers=["a", "b"])], revised("ci49000301", "extra")),
      step("all_day", "12:30", [but(A, reviewers=["a", "b"], depthError=0.31)]),
      step("all_day", "12:45", [but(A, depthError=0.32, reviewers=["a", "b"])], revised("ci49000301", "extra")),
      step("all_day", "13:00", [A], revised("ci49000301", "extra")))

story("every-property-named", "Everything but the id changes at once", [12],
      "An update names exactly the properties that differ.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:15", [but(A, mag=2.4, place="Lorne Islands", time="11:50:01", updated="12:10", tz=-480, felt=3, cdi=2.5, mmi=3.1, alert="green",
                                    status="reviewed", tsunami=1, sig=90, ids="ci49000301,us7000zz12", sources="ci,us", types="dyfi,origin", nst=20, dmin=0.05,
                                    rms=0.2, gap=60, magType="mw", type="quarry blast", lon=-117.5, lat=35.75, depth=9)],
           revised("ci49000301", "alert", "cdi", "depth", "dmin", "felt", "gap", "ids", "lat", "lon", "mag", "magType", "mmi", "nst", "place", "rms", "sig",
                   "sources", "status", "time", "tsunami", "type", "types", "tz", "updated")))

FAR = [quake("nc", "79100313", "11:50", -0.45, depth=-3.4), quake("us", "7000zz13", "11:40", 4.4, lon=180, depth=636.626),
       quake("us", "7000zz14", "11:30", 4.5, lon=-180, lat=-90)]
story("far-values", "Values at the ends of what occurs", [12],
      "mag and depth may be negative, time before 1970 or ahead of the clock, longitude reaches 180 exactly.",
      step(QUERY + "format=geojson&starttime=1727-01-01&limit=20000&offset=1&orderby=time", "12:00",
           [queried(f) for f in FAR + [quake("ushis", "9003", "1727-11-10 03:40:00", 5.5, "Near Port Hollis, Massachusetts", updated="2021-11-03 21:46:57", depth=None)]],
           new("ushis9003", "nc79100313", "us7000zz13", "us7000zz14")),
      step("all_hour", "12:10", FAR + [quake("nc", "79100314", "12:11:30", -0.0, updated="12:09")], new("nc79100314"), unconfirmed()))

# Suspect snapshots and bad features
MANY = [quake("nc", f"791004{i:02}", f"11:{55 - i:02}", 1.0 + i / 100) for i in range(24)]
IDS = [f["id"] for f in MANY]
story("mass-disappearance", "A frozen replica loses 21 of 24 quakes", [15],
      "134 refreshes lost more than 20 quakes at once: beyond max(20, 20 %) absences count for nothing, the rest applies.",
      step("all_day", "12:00", MANY, new(*IDS)),
      step("all_day", "12:15", [but(MANY[0], mag=1.1, updated="12:10"), MANY[1], MANY[2], quake("nc", "79100424", "12:05", 1.9)],
           new("nc79100424"), revised("nc79100400", "mag", "updated"), unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

story("twenty-missing-are-accepted", "Twenty of 24 quakes are missing", [15],
      "Exactly 20 is not more than max(20, 20 %): each absence is judged on its own.",
      step("all_day", "12:00", MANY, new(*IDS)),
      step("all_day", "12:15", MANY[:4], retracted(*IDS[4:])), settings=FIRST_ABSENCE_COUNTS)

story("count-mismatch-absence", "The count does not match the features", [15],
      "A feed with count 245 and 247 features was real: inserts and updates apply, absences count for nothing.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [but(A, mag=2.2, updated="12:10"), quake("ci", "49000315", "12:05", 1.3)], new("ci49000315"), revised("ci49000301", "mag", "updated"), unconfirmed(), count=3),
      step("all_day", "12:30", [but(A, mag=2.2, updated="12:10"), quake("ci", "49000315", "12:05", 1.3)], retracted("nc79100302")), settings=FIRST_ABSENCE_COUNTS)

story("count-mismatch-between-misses", "One of the misses was in a snapshot that proves nothing", [13, 15],
      "Such a snapshot neither confirms an absence nor discards it: the sixth miss that counts comes one snapshot later.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      *[step("all_day", when, [A], unconfirmed("nc79100302"), **({"count": 2} if when == "12:45" else {})) for when in QUARTERS[1:7]],
      step("all_day", "13:45", [A], retracted("nc79100302")))

story("epoch-incident", "All quakes are of 1970 for one refresh", [14],
      "On 2024-10-07/08 every row carried 1970-01-01 for 28 hours: refused whole, and the next good snapshot applies.",
      step("all_day", "12:00", [A, B, C], new("ci49000301", "nc79100302", "hv79000303")),
      step("all_day", "12:15", [but(f, time=0, updated=0) for f in (A, B, C)], REFUSED),
      step("all_day", "12:30", [but(A, mag=2.2, updated="12:20"), B, C], revised("ci49000301", "mag", "updated"), unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

story("truncated-download", "A body is cut short between two features", [14],
      "The body is streamed after a separate count, so a 200 may be cut short: the cache stays untouched.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [but(A, mag=2.2, updated="12:10"), B], REFUSED, edit=lambda s: s[:s.index(",\n") + 2]),
      step("all_day", "12:20", [but(A, mag=2.2, updated="12:10"), B], revised("ci49000301", "mag", "updated"), unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

BROKEN = but(B, updated="12:10")
BROKEN["properties"]["mag"] = "1.7"
story("bad-feature-not-absent", "A known quake comes with a magnitude that is no number", [16],
      "It is skipped and named, its neighbours apply, and it never counts as absent.",
      step("all_day", "12:00", [A, B], new("ci49000301", "nc79100302")),
      step("all_day", "12:15", [but(A, mag=2.2, updated="12:10"), BROKEN], revised("ci49000301", "mag", "updated"), unconfirmed()),
      step("all_day", "12:30", [but(A, mag=2.2, updated="12:10"), but(B, mag=1.7, updated="12:10")], revised("nc79100302", "mag", "updated")), settings=FIRST_ABSENCE_COUNTS)

story("bad-feature-without-id", "One feature cannot be read at all", [16],
      "It might be any quake, so no quake is absent in that snapshot; the next complete one counts again.",
      step("all_day", "12:00", [A, B, C], new("ci49000301", "nc79100302", "hv79000303")),
      step("all_day", "12:15", [but(A, mag=2.2, updated="12:10"), 17], revised("ci49000301", "mag", "updated"), unconfirmed(), newest_first=False),
      step("all_day", "12:30", [but(A, mag=2.2, updated="12:10"), C], retracted("nc79100302"), unconfirmed()), settings=FIRST_ABSENCE_COUNTS)

# Late quakes
story("late-quake", "A quake appears hours after it happened", [17],
      "A quarter of all quakes appear more than an hour after they happened, a tenth more than twelve hours.",
      step("all_day", "12:00", [A], new("ci49000301")),
      step("all_day", "12:45", [A, quake("ak", "a2026zzbxke", "10:30", 2.9, updated="12:41"), quake("ci", "49000316", "11:20", 1.3, updated="12:30"), quake("ci", "49000317", "12:35", 1.4)],
           new("aka2026zzbxke", reason="late"), new("ci49000316", "ci49000317")))

story("first-wider-feed-is-not-late", "After the hour and the 2.5 feed comes the first whole day", [17],
      "A quake is late only if a snapshot that covered its time should have listed it: not a shorter window, not a band.",
      step("all_hour", "12:00", [A], new("ci49000301")),
      step("2.5_day", "12:05", [US], new("us7000zz01")),
      step("all_day", "12:10", [A, US, B, C, EARLY], new("nc79100302", "hv79000303", "nn00990311")),
      step("all_day", "12:20", [A, US, B, C, EARLY, quake("nn", "00990318", "06:00", 1.0)], new("nn00990318", reason="late")))


# --- details/ -----------------------------------------------------------------------------------

def version(type, source, code, sent, weight, *, status="UPDATE", **properties):
    """A version of a product, as the event service sends it: all properties are texts."""
    return type, dict(indexid="1", indexTime=t("2026-03-20 00:00"), id=f"urn:usgs-product:{source}:{type}:{code}:{t(sent)}",
                      type=type, code=code, source=source, updateTime=t(sent), status=status, preferredWeight=weight,
                      properties={k.replace("_", "-"): str(v) for k, v in properties.items()},
                      contents={"quakeml.xml": dict(contentType="application/xml", lastModified=t(sent), length=1, url=SITE)})


def origin(source, code, sent, weight, time, lat, lon, depth, mag=None, kind=None, review="reviewed", **rest):
    if mag is not None:
        rest |= dict(magnitude=mag, magnitude_type=kind)
    return version("origin", source, code, sent, weight, eventtime=f"2026-03-14T{time}Z", latitude=lat, longitude=lon,
                   depth=depth, review_status=review, event_type="earthquake", eventsource=source, eventsourcecode=code, **rest)


def tensor(code, sent, weight, mag, kind, numbers, planes, **rest):
    names = ["mrr", "mtt", "mpp", "mrt", "mrp", "mtp"]
    angles = {f"nodal_plane_{n}_{name}": a for n, plane in enumerate(planes, 1) for name, a in zip(("strike", "dip", "rake"), plane)}
    return version("moment-tensor", "us", code, sent, weight, **dict(zip((f"tensor_{n}" for n in names), numbers)),
                   derived_magnitude=mag, derived_magnitude_type=kind, review_status="reviewed", **angles, **rest)


def write_details():
    us, mww = "us7000zzay", "us_7000zzay_mww"
    thrust = ["1.41E+18", "-8.0E+16", "-1.33E+18", "2.9E+17", "-1.62E+18", "2.3E+17"]
    place = "83 km SE of Puerto Almendra, Chile"
    versions = [
        origin("at", "atzzay", "07:41:10.500", 6, "07:33:50.000", -30.9, -71.0, 30, 6.5, "Mi", "REVIEWED"),
        # The first automatic origin has no magnitude.
        origin("us", us, "07:45:02.040", 158, "07:33:51.500", -30.91, -70.95, 35.0, review="automatic", title=place),
        origin("us", us, "07:58:33.040", 158, "07:33:51.700", -30.89, -70.9433, 40.1, 6.3, "mww", title=place, horizontal_error=6.1, vertical_error=1.9, magnitude_error=0.06, num_stations_used=150, num_phases_used=171, azimuthal_gap=41, standard_error=0.97),
        # Another source is preferred for ten minutes, then it takes its solution back.
        origin("csn", "csnzzay", "08:40:00.000", 200, "07:33:52.000", -30.87, -70.93, 41, 6.4, "mwr"),
        version("origin", "csn", "csnzzay", "08:50:00.000", 200, status="DELETE"),
        # The same values once more are no step.
        origin("us", us, "11:00:00.040", 158, "07:33:51.700", -30.89, -70.9433, 40.1, 6.3, "mww", title=place),
        origin("us", us, "11:48:30.040", 158, "07:33:51.882", -30.8856, -70.9417, 44.18, 6.2, "mww", title=place, horizontal_error=5.7, vertical_error=1.7, magnitude_error=0.05, num_stations_used=164, num_phases_used=181, azimuthal_gap=36, standard_error=0.94),
        # It refers to another product and has no values.
        version("trump-origin", "admin", us, "11:50:00.000", 1, trump_source="us", trump_code=us),
        tensor("us_7000zzay_mwb", "08:05:00.040", 159, 6.1, "Mwb", ["1.1E+18", "-5.0E+16", "-1.05E+18", "2.1E+17", "-1.3E+18", "1.9E+17"], [(5, 22, 98), (176, 68, 87)], scalar_moment="1.7E+18", percent_double_couple="0.91", derived_depth=39, derived_eventtime="1970-01-01T00:00:00.000Z", derived_latitude="0.0000", derived_longitude="0.0000"),
        tensor(mww, "08:20:00.040", 218, 6.2, "Mww", thrust, [(2, 21, 101), (170, 69, 86)], scalar_moment="2.14E+18", percent_double_couple="0.9734", derived_depth=40.5, derived_eventtime="2026-03-14T07:33:57.000Z", derived_latitude="-30.95", derived_longitude="-71.02",
               t_axis_azimuth=75, t_axis_plunge=65, t_axis_length="2.16E+18", n_axis_azimuth=174, n_axis_plunge=4, n_axis_length="-4.0E+16", p_axis_azimuth=265, p_axis_plunge=24, p_axis_length="-2.12E+18"),
        version("focal-mechanism", "csn", "csnzzay_fm", "09:10:00.000", 250, nodal_plane_1_strike=4, nodal_plane_1_dip=20, nodal_plane_1_rake=99, nodal_plane_2_strike=174, nodal_plane_2_dip=70, nodal_plane_2_rake=87),
        *[version("dyfi", "us", us, sent, 156, num_responses=n, numResp=n, maxmmi=mmi) for sent, n, mmi in
          [("07:44:00.000", 3, 4.2), ("07:50:00.000", 58, 5.9), ("07:55:00.000", 58, 5.9), ("08:30:00.000", 171, 6.2), ("11:40:00.000", 214, 6.2)]],
        *[version("losspager", "us", us, sent, 157, alertlevel=level, maxmmi=mmi) for sent, level, mmi in
          [("08:00:00.000", "yellow", 6.9), ("09:00:00.000", "green", 6.4)]],
        version("shakemap", "us", us, "08:01:00.000", 156, maxmmi=6.9, map_status="RELEASED"),
        version("shakemap", "us", us, "11:45:00.000", 156, maxmmi=6.318, map_status="RELEASED"),
        version("poster", "us", "20260314", "12:00:00.000", 6),
        # Left out, and named: no latitude, and a number that is none.
        version("origin", "pt", "ptzzay", "07:42:00.000", 6, eventtime="2026-03-14T07:33:50.000Z", longitude=-71, depth=30),
        version("origin", "xx", "xxzzay", "07:43:00.000", 6, eventtime="2026-03-14T07:33:50.000Z", latitude="nan", longitude=-71),
    ]
    feature = copy.deepcopy(OF[us])
    products = {}
    for type, product in versions:
        products.setdefault(type, []).append(product)
    feature["properties"] |= dict(ids=f",{us},atzzay,csnzzay,", products=products)
    write(f"details/{us}.geojson", compact(feature))
    steps = [
        # since, source, code, mag, magType, lat, lon, depth, status
        ("2026-03-14T07:41:10.500Z", "at", "atzzay", 6.5, "Mi", -30.9, -71.0, 30.0, "reviewed"),
        ("2026-03-14T07:45:02.040Z", "us", us, None, None, -30.91, -70.95, 35.0, "automatic"),
        ("2026-03-14T07:58:33.040Z", "us", us, 6.3, "mww", -30.89, -70.9433, 40.1, "reviewed"),
        ("2026-03-14T08:40:00.000Z", "csn", "csnzzay", 6.4, "mwr", -30.87, -70.93, 41.0, "reviewed"),
        ("2026-03-14T08:50:00.000Z", "us", us, 6.3, "mww", -30.89, -70.9433, 40.1, "reviewed"),
        ("2026-03-14T11:48:30.040Z", "us", us, 6.2, "mww", -30.8856, -70.9417, 44.18, "reviewed"),
    ]
    names = ["published", "source", "code", "mag", "magType", "lat", "lon", "depth", "status"]
    write("details/STEPS.jsonl", "".join(compact(dict(zip(["event"] + names, (us, *step)))) + "\n" for step in steps))


if __name__ == "__main__":
    for folder in ("feeds", "malformed", "stories", "details"):
        shutil.rmtree(HERE / folder, ignore_errors=True)
    write_feeds()
    write_malformed()
    write_stories()
    write_details()
