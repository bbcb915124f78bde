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
    before TEXT,
    after TEXT,
    merged_into INTEGER,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE claimed (
    source TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    as_of INTEGER NOT NULL,
    open_ended INTEGER NOT NULL,
    conditions TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE consumers (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    number INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE departed (
    quake INTEGER PRIMARY KEY,
    confirmed INTEGER NOT NULL,
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
CREATE TABLE doubts (
    quake INTEGER NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    sightings INTEGER NOT NULL,
    news INTEGER,
    name TEXT,
    awaits INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (quake, kind)
) STRICT, WITHOUT ROWID;
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
    roster BLOB,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE impacts (
    id INTEGER PRIMARY KEY, product TEXT NOT NULL, source TEXT NOT NULL, code TEXT NOT NULL,
    published INTEGER NOT NULL, weight INTEGER NOT NULL, deleted INTEGER NOT NULL,
    responses INTEGER, intensity REAL, alert TEXT,
    quake INTEGER AS (id >> 16), position INTEGER AS (id & 65535), checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE mechanisms (
    id INTEGER PRIMARY KEY, product TEXT NOT NULL, source TEXT NOT NULL, code TEXT NOT NULL,
    published INTEGER NOT NULL, weight INTEGER NOT NULL, deleted INTEGER NOT NULL,
    time INTEGER, lat REAL, lon REAL, depth REAL, mag REAL, magType TEXT, status TEXT, moment REAL, double_couple REAL, mrr REAL, mtt REAL, mpp REAL, mrt REAL, mrp REAL, mtp REAL, strike1 REAL, dip1 REAL, rake1 REAL, strike2 REAL, dip2 REAL, rake2 REAL, t_azimuth REAL, t_plunge REAL, t_length REAL, n_azimuth REAL, n_plunge REAL, n_length REAL, p_azimuth REAL, p_plunge REAL, p_length REAL,
    quake INTEGER AS (id >> 16), position INTEGER AS (id & 65535), checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE origins (
    id INTEGER PRIMARY KEY, product TEXT NOT NULL, source TEXT NOT NULL, code TEXT NOT NULL,
    published INTEGER NOT NULL, weight INTEGER NOT NULL, deleted INTEGER NOT NULL,
    time INTEGER, lat REAL, lon REAL, depth REAL, mag REAL, magType TEXT, status TEXT, type TEXT, place TEXT, horizontal_error REAL, vertical_error REAL, mag_error REAL, nst INTEGER, nph INTEGER, gap REAL, rms REAL,
    quake INTEGER AS (id >> 16), position INTEGER AS (id & 65535), checksum INTEGER NOT NULL
, mag_nst INTEGER, location_source TEXT, mag_source TEXT) STRICT;
CREATE TABLE quakes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    last_change INTEGER NOT NULL,
    hash INTEGER NOT NULL DEFAULT 0,
    confirmed INTEGER NOT NULL DEFAULT 0,
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
    tz INTEGER,
    title TEXT,
    url TEXT,
    detail TEXT,
    extra TEXT,
    checksum INTEGER NOT NULL,
    UNIQUE (net, code)
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
    epoch INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE taken_back (
    txn INTEGER PRIMARY KEY,
    taken TEXT NOT NULL,
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
    sha256 TEXT,
    features INTEGER,
    previous INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    inserted INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE unreadable (
    id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER guard_aliases_delete BEFORE DELETE ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_aliases_insert BEFORE INSERT ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_aliases_update BEFORE UPDATE ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_delete BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_insert BEFORE INSERT ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_update BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_quakes_delete BEFORE DELETE ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_quakes_insert BEFORE INSERT ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_quakes_update BEFORE UPDATE ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_delete BEFORE DELETE ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_insert BEFORE INSERT ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_update BEFORE UPDATE ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE VIEW changes_v1 AS SELECT
    c.id AS change_id, c.txn AS "transaction", t.time AS time, t.author AS author, t.context AS context,
    t.generated AS generated, CASE c.kind WHEN 0 THEN 'insert' WHEN 1 THEN 'update' ELSE 'delete' END AS op,
    c.reason AS reason, c.quake AS quake,
    coalesce(q.net || q.code, c.before ->> 'net' || (c.before ->> 'code')) AS id,
    c.before AS before, c.after AS after, c.merged_into AS merged_into
FROM changes c JOIN transactions t ON t.number = c.txn LEFT JOIN quakes q ON q.key = c.quake;
CREATE VIEW quakes_v1 AS SELECT
    net || code AS id, time, lat, lon, depth, mag, magType, place, type, status, updated, felt, cdi, mmi, alert,
    tsunami, sig, net, code, ids, sources, types, nst, dmin, rms, gap, tz,
    coalesce(title, 'M ' || CASE WHEN mag IS NULL THEN '?' ELSE replace(printf('%s%.1f', CASE WHEN mag <= -0.05 THEN '-' ELSE '' END, abs(mag) + 1e-10), '-0.0', '0.0') END || ' - ' || coalesce(place, '')) AS title, coalesce(url, 'https://earthquake.usgs.gov/earthquakes/eventpage/' || net || code) AS url, coalesce(detail, 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/' || net || code || '.geojson') AS detail,
    extra, key AS quake
FROM quakes;
CREATE VIEW solutions_v1 AS SELECT
    q.net || q.code AS id, o.published AS published, o.source AS source, o.code AS code, o.product AS product,
    o.weight AS weight, o.deleted AS deleted,
    o.time AS time, o.lat AS lat, o.lon AS lon, o.depth AS depth, o.mag AS mag, o.magType AS magType, o.status AS status, o.type AS type, o.place AS place, o.horizontal_error AS horizontal_error, o.vertical_error AS vertical_error, o.mag_error AS mag_error, o.nst AS nst, o.nph AS nph, o.gap AS gap, o.rms AS rms, o.quake AS quake, o.mag_nst AS mag_nst, o.location_source AS location_source,
    o.mag_source AS mag_source
FROM origins o JOIN quakes q ON q.key = o.quake;
