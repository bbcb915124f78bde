"""Every piece of work, in the order of the table."""

from bench import read_works, refresh_works

SMALL = (
    refresh_works.first_import,
    refresh_works.import_catalog,
    refresh_works.import_table,
    refresh_works.refresh_one_percent,
    refresh_works.refresh_after_40_ms,
    refresh_works.not_modified_after_40_ms,
    refresh_works.refresh_after_300_ms,
    refresh_works.not_modified_after_300_ms,
    refresh_works.refresh_over_http,
    refresh_works.not_modified_over_http,
    read_works.list_ten_thousand,
    read_works.list_seven_columns,
    read_works.list_ten_rows,
    read_works.list_text,
    read_works.start_up,
    read_works.instructions,
    read_works.program_size,
)
# These need the caches of 1 M and 4 M quakes.
LARGE = (
    read_works.list_million,
    read_works.list_newest,
    read_works.ten_changes,
    read_works.million_changes,
    read_works.verify_million,
    read_works.cache_size,
)
