CREATE INDEX aliases_by_quake ON aliases (quake);
CREATE INDEX changes_by_quake ON changes (quake);
CREATE INDEX quakes_by_place ON quakes (CAST((lat + 90) * 4 AS INTEGER) * 1440 + CAST((lon + 180) * 4 AS INTEGER) % 1440);
CREATE INDEX quakes_by_time ON quakes (time, (net || code) DESC, mag, hash);
CREATE TABLE aliases (
    alias TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    quake INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    txn INTEGER NOT NULL,
    quake INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    reason TEXT NOT NULL,
    merged_into INTEGER,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE consumers (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    number INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE covered_ranges (
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    conditions TEXT NOT NULL,
    as_of INTEGER NOT NULL,
    source TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE departed (
    quake INTEGER PRIMARY KEY,
    source_time INTEGER NOT NULL,
    reason TEXT NOT NULL,
    merged_into INTEGER,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE details (
    quake INTEGER PRIMARY KEY,
    asked INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE feeds (
    name TEXT PRIMARY KEY,
    url TEXT,
    generated INTEGER,
    etag TEXT,
    last_modified TEXT,
    checked INTEGER,
    applied INTEGER,
    features INTEGER,
    not_before INTEGER,
    pause_status INTEGER,
    error TEXT,
    error_time INTEGER,
    source_time INTEGER,
    roster BLOB,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE ids_in_question (
    id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    raised INTEGER NOT NULL,
    unsettled_answers INTEGER NOT NULL DEFAULT 0,
    last_answer INTEGER,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE products (
    quake INTEGER NOT NULL,
    position INTEGER NOT NULL,
    product TEXT NOT NULL,
    source TEXT NOT NULL,
    code TEXT NOT NULL,
    published INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    properties TEXT,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (quake, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE quakes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    last_change INTEGER NOT NULL,
    hash INTEGER NOT NULL DEFAULT 0,
    source_time INTEGER NOT NULL DEFAULT 0,
    net TEXT NOT NULL,
    code TEXT NOT NULL,
    time INTEGER NOT NULL,
    lat REAL NOT NULL,
    lon REAL NOT NULL,
    depth REAL,
    mag REAL,
    magType TEXT,
    place TEXT,
    type TEXT,
    status TEXT,
    updated INTEGER NOT NULL,
    felt INTEGER,
    cdi REAL,
    mmi REAL,
    alert TEXT,
    tsunami INTEGER,
    sig INTEGER,
    ids TEXT NOT NULL,
    sources TEXT NOT NULL,
    types TEXT NOT NULL,
    nst INTEGER,
    dmin REAL,
    rms REAL,
    gap REAL,
    horizontal_error REAL,
    depth_error REAL,
    mag_error REAL,
    mag_nst INTEGER,
    location_source TEXT,
    mag_source TEXT,
    tz INTEGER,
    title TEXT,
    url TEXT,
    detail TEXT,
    extra TEXT,
    checksum INTEGER NOT NULL,
    UNIQUE (net, code)
) STRICT;
CREATE TABLE requested_ranges (
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    conditions TEXT NOT NULL,
    source TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE rows_before (
    change INTEGER PRIMARY KEY,
    net TEXT NOT NULL,
    code TEXT NOT NULL,
    time INTEGER NOT NULL,
    lat REAL NOT NULL,
    lon REAL NOT NULL,
    depth REAL,
    mag REAL,
    magType TEXT,
    place TEXT,
    type TEXT,
    status TEXT,
    updated INTEGER NOT NULL,
    felt INTEGER,
    cdi REAL,
    mmi REAL,
    alert TEXT,
    tsunami INTEGER,
    sig INTEGER,
    ids TEXT NOT NULL,
    sources TEXT NOT NULL,
    types TEXT NOT NULL,
    nst INTEGER,
    dmin REAL,
    rms REAL,
    gap REAL,
    horizontal_error REAL,
    depth_error REAL,
    mag_error REAL,
    mag_nst INTEGER,
    location_source TEXT,
    mag_source TEXT,
    tz INTEGER,
    title TEXT,
    url TEXT,
    detail TEXT,
    extra TEXT,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE store (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    floor INTEGER NOT NULL DEFAULT 0,
    floor_fingerprint INTEGER NOT NULL DEFAULT 0,
    floor_time INTEGER,
    floor_moved INTEGER,
    floor_author TEXT,
    floor_published INTEGER,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE transactions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    author TEXT NOT NULL,
    context TEXT,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    program TEXT NOT NULL,
    url TEXT,
    generated INTEGER,
    etag TEXT,
    features INTEGER,
    undoes INTEGER,
    taken TEXT,
    moved_ids TEXT,
    previous INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    inserted INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE unconfirmed_changes (
    quake INTEGER NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
    updated INTEGER,
    place TEXT,
    awaits_service INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (quake, kind)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER guard_aliases_delete BEFORE DELETE ON aliases
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_aliases_insert BEFORE INSERT ON aliases
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_aliases_update BEFORE UPDATE ON aliases
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_changes_delete BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_changes_insert BEFORE INSERT ON changes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_changes_update BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_quakes_delete BEFORE DELETE ON quakes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_quakes_insert BEFORE INSERT ON quakes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_quakes_update BEFORE UPDATE ON quakes
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_rows_before_delete BEFORE DELETE ON rows_before
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_rows_before_insert BEFORE INSERT ON rows_before
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_rows_before_update BEFORE UPDATE ON rows_before
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_transactions_delete BEFORE DELETE ON transactions
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_transactions_insert BEFORE INSERT ON transactions
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE TRIGGER guard_transactions_update BEFORE UPDATE ON transactions
BEGIN SELECT RAISE(ABORT, 'a quakes cache can be changed only with the `quakes` program, which records every change'); END;
CREATE VIEW changes_v1 AS SELECT
    c.id AS change_id, c.txn AS "transaction", t.time AS time, t.author AS author, t.context AS context,
    t.generated AS published,
    CASE c.kind WHEN 0 THEN iif(c.reason = 'undone', 'undo', 'insert') WHEN 1 THEN 'update' ELSE 'delete' END
        AS op,
    c.reason AS reason, c.quake AS quake,
    CASE WHEN c.kind = 2 THEN b.net || b.code WHEN n.id IS NULL THEN q.net || q.code ELSE a.net || a.code END
        AS id,
    CASE WHEN c.kind > 0 THEN (
        SELECT '{' || group_concat('"' || name || '":' || CASE
            WHEN name = 'extra' AND old IS NOT NULL THEN old
            WHEN typeof(old) <> 'real' THEN json_quote(old)
            WHEN json_extract(printf('%!.15g', old), '$') = old THEN printf('%!.15g', old)
            ELSE printf('%!.17g', old) END, ',') || '}'
        FROM (SELECT 'time' AS name, b.time AS old, iif(n.id IS NULL, q.time, a.time) AS new UNION ALL SELECT 'lat' AS name, b.lat AS old, iif(n.id IS NULL, q.lat, a.lat) AS new UNION ALL SELECT 'lon' AS name, b.lon AS old, iif(n.id IS NULL, q.lon, a.lon) AS new UNION ALL SELECT 'depth' AS name, b.depth AS old, iif(n.id IS NULL, q.depth, a.depth) AS new UNION ALL SELECT 'mag' AS name, b.mag AS old, iif(n.id IS NULL, q.mag, a.mag) AS new UNION ALL SELECT 'magType' AS name, b.magType AS old, iif(n.id IS NULL, q.magType, a.magType) AS new UNION ALL SELECT 'place' AS name, b.place AS old, iif(n.id IS NULL, q.place, a.place) AS new UNION ALL SELECT 'type' AS name, b.type AS old, iif(n.id IS NULL, q.type, a.type) AS new UNION ALL SELECT 'status' AS name, b.status AS old, iif(n.id IS NULL, q.status, a.status) AS new UNION ALL SELECT 'updated' AS name, b.updated AS old, iif(n.id IS NULL, q.updated, a.updated) AS new UNION ALL SELECT 'felt' AS name, b.felt AS old, iif(n.id IS NULL, q.felt, a.felt) AS new UNION ALL SELECT 'cdi' AS name, b.cdi AS old, iif(n.id IS NULL, q.cdi, a.cdi) AS new UNION ALL SELECT 'mmi' AS name, b.mmi AS old, iif(n.id IS NULL, q.mmi, a.mmi) AS new UNION ALL SELECT 'alert' AS name, b.alert AS old, iif(n.id IS NULL, q.alert, a.alert) AS new UNION ALL SELECT 'tsunami' AS name, b.tsunami AS old, iif(n.id IS NULL, q.tsunami, a.tsunami) AS new UNION ALL SELECT 'sig' AS name, b.sig AS old, iif(n.id IS NULL, q.sig, a.sig) AS new UNION ALL SELECT 'net' AS name, b.net AS old, iif(n.id IS NULL, q.net, a.net) AS new UNION ALL SELECT 'code' AS name, b.code AS old, iif(n.id IS NULL, q.code, a.code) AS new UNION ALL SELECT 'ids' AS name, b.ids AS old, iif(n.id IS NULL, q.ids, a.ids) AS new UNION ALL SELECT 'sources' AS name, b.sources AS old, iif(n.id IS NULL, q.sources, a.sources) AS new UNION ALL SELECT 'types' AS name, b.types AS old, iif(n.id IS NULL, q.types, a.types) AS new UNION ALL SELECT 'nst' AS name, b.nst AS old, iif(n.id IS NULL, q.nst, a.nst) AS new UNION ALL SELECT 'dmin' AS name, b.dmin AS old, iif(n.id IS NULL, q.dmin, a.dmin) AS new UNION ALL SELECT 'rms' AS name, b.rms AS old, iif(n.id IS NULL, q.rms, a.rms) AS new UNION ALL SELECT 'gap' AS name, b.gap AS old, iif(n.id IS NULL, q.gap, a.gap) AS new UNION ALL SELECT 'horizontal_error' AS name, b.horizontal_error AS old, iif(n.id IS NULL, q.horizontal_error, a.horizontal_error) AS new UNION ALL SELECT 'depth_error' AS name, b.depth_error AS old, iif(n.id IS NULL, q.depth_error, a.depth_error) AS new UNION ALL SELECT 'mag_error' AS name, b.mag_error AS old, iif(n.id IS NULL, q.mag_error, a.mag_error) AS new UNION ALL SELECT 'mag_nst' AS name, b.mag_nst AS old, iif(n.id IS NULL, q.mag_nst, a.mag_nst) AS new UNION ALL SELECT 'location_source' AS name, b.location_source AS old, iif(n.id IS NULL, q.location_source, a.location_source) AS new UNION ALL SELECT 'mag_source' AS name, b.mag_source AS old, iif(n.id IS NULL, q.mag_source, a.mag_source) AS new UNION ALL SELECT 'tz' AS name, b.tz AS old, iif(n.id IS NULL, q.tz, a.tz) AS new UNION ALL SELECT 'extra' AS name, b.extra AS old, iif(n.id IS NULL, q.extra, a.extra) AS new UNION ALL SELECT 'title' AS name, b.title AS old, iif(n.id IS NULL, q.title, a.title) AS new UNION ALL SELECT 'url' AS name, b.url AS old, iif(n.id IS NULL, q.url, a.url) AS new UNION ALL SELECT 'detail' AS name, b.detail AS old, iif(n.id IS NULL, q.detail, a.detail) AS new) WHERE old IS NOT new) END AS before,
    CASE WHEN c.kind < 2 THEN (
        SELECT '{' || group_concat('"' || name || '":' || CASE
            WHEN name = 'extra' AND new IS NOT NULL THEN new
            WHEN typeof(new) <> 'real' THEN json_quote(new)
            WHEN json_extract(printf('%!.15g', new), '$') = new THEN printf('%!.15g', new)
            ELSE printf('%!.17g', new) END, ',') || '}'
        FROM (SELECT 'time' AS name, b.time AS old, iif(n.id IS NULL, q.time, a.time) AS new UNION ALL SELECT 'lat' AS name, b.lat AS old, iif(n.id IS NULL, q.lat, a.lat) AS new UNION ALL SELECT 'lon' AS name, b.lon AS old, iif(n.id IS NULL, q.lon, a.lon) AS new UNION ALL SELECT 'depth' AS name, b.depth AS old, iif(n.id IS NULL, q.depth, a.depth) AS new UNION ALL SELECT 'mag' AS name, b.mag AS old, iif(n.id IS NULL, q.mag, a.mag) AS new UNION ALL SELECT 'magType' AS name, b.magType AS old, iif(n.id IS NULL, q.magType, a.magType) AS new UNION ALL SELECT 'place' AS name, b.place AS old, iif(n.id IS NULL, q.place, a.place) AS new UNION ALL SELECT 'type' AS name, b.type AS old, iif(n.id IS NULL, q.type, a.type) AS new UNION ALL SELECT 'status' AS name, b.status AS old, iif(n.id IS NULL, q.status, a.status) AS new UNION ALL SELECT 'updated' AS name, b.updated AS old, iif(n.id IS NULL, q.updated, a.updated) AS new UNION ALL SELECT 'felt' AS name, b.felt AS old, iif(n.id IS NULL, q.felt, a.felt) AS new UNION ALL SELECT 'cdi' AS name, b.cdi AS old, iif(n.id IS NULL, q.cdi, a.cdi) AS new UNION ALL SELECT 'mmi' AS name, b.mmi AS old, iif(n.id IS NULL, q.mmi, a.mmi) AS new UNION ALL SELECT 'alert' AS name, b.alert AS old, iif(n.id IS NULL, q.alert, a.alert) AS new UNION ALL SELECT 'tsunami' AS name, b.tsunami AS old, iif(n.id IS NULL, q.tsunami, a.tsunami) AS new UNION ALL SELECT 'sig' AS name, b.sig AS old, iif(n.id IS NULL, q.sig, a.sig) AS new UNION ALL SELECT 'net' AS name, b.net AS old, iif(n.id IS NULL, q.net, a.net) AS new UNION ALL SELECT 'code' AS name, b.code AS old, iif(n.id IS NULL, q.code, a.code) AS new UNION ALL SELECT 'ids' AS name, b.ids AS old, iif(n.id IS NULL, q.ids, a.ids) AS new UNION ALL SELECT 'sources' AS name, b.sources AS old, iif(n.id IS NULL, q.sources, a.sources) AS new UNION ALL SELECT 'types' AS name, b.types AS old, iif(n.id IS NULL, q.types, a.types) AS new UNION ALL SELECT 'nst' AS name, b.nst AS old, iif(n.id IS NULL, q.nst, a.nst) AS new UNION ALL SELECT 'dmin' AS name, b.dmin AS old, iif(n.id IS NULL, q.dmin, a.dmin) AS new UNION ALL SELECT 'rms' AS name, b.rms AS old, iif(n.id IS NULL, q.rms, a.rms) AS new UNION ALL SELECT 'gap' AS name, b.gap AS old, iif(n.id IS NULL, q.gap, a.gap) AS new UNION ALL SELECT 'horizontal_error' AS name, b.horizontal_error AS old, iif(n.id IS NULL, q.horizontal_error, a.horizontal_error) AS new UNION ALL SELECT 'depth_error' AS name, b.depth_error AS old, iif(n.id IS NULL, q.depth_error, a.depth_error) AS new UNION ALL SELECT 'mag_error' AS name, b.mag_error AS old, iif(n.id IS NULL, q.mag_error, a.mag_error) AS new UNION ALL SELECT 'mag_nst' AS name, b.mag_nst AS old, iif(n.id IS NULL, q.mag_nst, a.mag_nst) AS new UNION ALL SELECT 'location_source' AS name, b.location_source AS old, iif(n.id IS NULL, q.location_source, a.location_source) AS new UNION ALL SELECT 'mag_source' AS name, b.mag_source AS old, iif(n.id IS NULL, q.mag_source, a.mag_source) AS new UNION ALL SELECT 'tz' AS name, b.tz AS old, iif(n.id IS NULL, q.tz, a.tz) AS new UNION ALL SELECT 'extra' AS name, b.extra AS old, iif(n.id IS NULL, q.extra, a.extra) AS new UNION ALL SELECT 'title' AS name, b.title AS old, iif(n.id IS NULL, q.title, a.title) AS new UNION ALL SELECT 'url' AS name, b.url AS old, iif(n.id IS NULL, q.url, a.url) AS new UNION ALL SELECT 'detail' AS name, b.detail AS old, iif(n.id IS NULL, q.detail, a.detail) AS new) WHERE old IS NOT new) END AS after, c.merged_into AS merged_into
FROM changes c JOIN transactions t ON t.number = c.txn LEFT JOIN quakes q ON q.key = c.quake
    LEFT JOIN rows_before b ON b.change = c.id
    LEFT JOIN changes n ON n.id = (SELECT min(id) FROM changes WHERE quake = c.quake AND id > c.id)
    LEFT JOIN rows_before a ON a.change = n.id;
CREATE VIEW quakes_v1 AS SELECT
    net || code AS id, time, lat, lon, depth, mag, magType, place, type, status, updated, felt, cdi, mmi, alert,
    tsunami, sig, net, code, ids, sources, types, nst, dmin, rms, gap, horizontal_error, depth_error, mag_error,
    mag_nst, location_source, mag_source, tz,
    coalesce(title, 'M ' || CASE WHEN mag IS NULL THEN '?' ELSE replace(printf('%s%.1f', CASE WHEN mag <= -0.05 THEN '-' ELSE '' END, abs(mag) + 1e-10), '-0.0', '0.0') END || ' - ' || coalesce(place, '')) AS title, coalesce(url, 'https://earthquake.usgs.gov/earthquakes/eventpage/' || net || code) AS url, coalesce(detail, 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/' || net || code || '.geojson') AS detail,
    extra, key AS quake
FROM quakes;
CREATE VIEW solutions_v1 AS SELECT
    q.net || q.code AS id, p.published AS published, p.source AS source, p.code AS code, p.product AS product,
    p.weight AS weight, p.properties IS NULL AS deleted,
    json_extract(p.properties, '$.time') AS time, json_extract(p.properties, '$.lat') AS lat, json_extract(p.properties, '$.lon') AS lon, json_extract(p.properties, '$.depth') AS depth, json_extract(p.properties, '$.mag') AS mag, json_extract(p.properties, '$.magType') AS magType, json_extract(p.properties, '$.status') AS status, json_extract(p.properties, '$.type') AS type, json_extract(p.properties, '$.place') AS place, json_extract(p.properties, '$.horizontal_error') AS horizontal_error, json_extract(p.properties, '$.depth_error') AS depth_error, json_extract(p.properties, '$.mag_error') AS mag_error, json_extract(p.properties, '$.nst') AS nst, json_extract(p.properties, '$.nph') AS nph, json_extract(p.properties, '$.gap') AS gap, json_extract(p.properties, '$.rms') AS rms, json_extract(p.properties, '$.mag_nst') AS mag_nst, json_extract(p.properties, '$.location_source') AS location_source, json_extract(p.properties, '$.mag_source') AS mag_source, q.key AS quake
FROM products p JOIN quakes q ON q.key = p.quake WHERE p.product IN ('origin', 'trump-origin');
