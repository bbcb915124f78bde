-- The sqlite3 shell as a mirror of a feed, with history: one statement reads the GeoJSON, inserts what is
-- new, updates what differs, leaves the rest alone; triggers record each change with its values before and after.
-- Run as: sqlite3 -bail CACHE -cmd ".parameter set @feed 'FEED'" ".read import.sql"

PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;

CREATE TABLE IF NOT EXISTS quakes (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  net TEXT NOT NULL, code TEXT NOT NULL,
  mag REAL, magType TEXT, place TEXT, time INTEGER NOT NULL, updated INTEGER NOT NULL, tz INTEGER,
  lon REAL NOT NULL, lat REAL NOT NULL, depth REAL,
  felt INTEGER, cdi REAL, mmi REAL, alert TEXT, status TEXT, tsunami INTEGER, sig INTEGER,
  ids TEXT, sources TEXT, types TEXT, nst INTEGER, dmin REAL, rms REAL, gap REAL, type TEXT,
  UNIQUE (net, code)
) STRICT;

CREATE TABLE IF NOT EXISTS history_transactions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  time INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS history_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "transaction" INTEGER NOT NULL REFERENCES history_transactions,
  op TEXT NOT NULL, quake INTEGER NOT NULL,
  before TEXT, after TEXT
) STRICT;

CREATE TRIGGER IF NOT EXISTS quakes_inserted AFTER INSERT ON quakes BEGIN
  INSERT INTO history_changes ("transaction", op, quake)
  VALUES ((SELECT max(number) FROM history_transactions), 'insert', new.key);
END;

CREATE TRIGGER IF NOT EXISTS quakes_updated AFTER UPDATE ON quakes BEGIN
  INSERT INTO history_changes ("transaction", op, quake, before, after)
  SELECT (SELECT max(number) FROM history_transactions), 'update', new.key,
         json_group_object(name, before), json_group_object(name, after)
  FROM (
    SELECT 'net' AS name, old.net AS before, new.net AS after
    UNION ALL VALUES
      ('id', old.id, new.id), ('code', old.code, new.code),
      ('mag', old.mag, new.mag), ('magType', old.magType, new.magType), ('place', old.place, new.place),
      ('time', old.time, new.time), ('updated', old.updated, new.updated), ('tz', old.tz, new.tz),
      ('lon', old.lon, new.lon), ('lat', old.lat, new.lat), ('depth', old.depth, new.depth),
      ('felt', old.felt, new.felt), ('cdi', old.cdi, new.cdi), ('mmi', old.mmi, new.mmi),
      ('alert', old.alert, new.alert), ('status', old.status, new.status), ('tsunami', old.tsunami, new.tsunami),
      ('sig', old.sig, new.sig), ('ids', old.ids, new.ids), ('sources', old.sources, new.sources),
      ('types', old.types, new.types), ('nst', old.nst, new.nst), ('dmin', old.dmin, new.dmin),
      ('rms', old.rms, new.rms), ('gap', old.gap, new.gap), ('type', old.type, new.type)
  )
  WHERE before IS NOT after;
END;

BEGIN IMMEDIATE;

INSERT INTO history_transactions (time)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER));

INSERT INTO quakes (
  id, net, code, mag, magType, place, time, updated, tz, lon, lat, depth, felt, cdi, mmi, alert,
  status, tsunami, sig, ids, sources, types, nst, dmin, rms, gap, type)
SELECT
  json_extract(value, '$.id'), json_extract(value, '$.properties.net'), json_extract(value, '$.properties.code'),
  json_extract(value, '$.properties.mag'), json_extract(value, '$.properties.magType'),
  json_extract(value, '$.properties.place'), json_extract(value, '$.properties.time'),
  json_extract(value, '$.properties.updated'), json_extract(value, '$.properties.tz'),
  json_extract(value, '$.geometry.coordinates[0]'), json_extract(value, '$.geometry.coordinates[1]'),
  json_extract(value, '$.geometry.coordinates[2]'), json_extract(value, '$.properties.felt'),
  json_extract(value, '$.properties.cdi'), json_extract(value, '$.properties.mmi'),
  json_extract(value, '$.properties.alert'), json_extract(value, '$.properties.status'),
  json_extract(value, '$.properties.tsunami'), json_extract(value, '$.properties.sig'),
  json_extract(value, '$.properties.ids'), json_extract(value, '$.properties.sources'),
  json_extract(value, '$.properties.types'), json_extract(value, '$.properties.nst'),
  json_extract(value, '$.properties.dmin'), json_extract(value, '$.properties.rms'),
  json_extract(value, '$.properties.gap'), json_extract(value, '$.properties.type')
FROM json_each(readfile(@feed), '$.features')
WHERE true
ON CONFLICT (id) DO UPDATE SET
  (mag, magType, place, time, updated, tz, lon, lat, depth, felt, cdi, mmi, alert,
   status, tsunami, sig, ids, sources, types, nst, dmin, rms, gap, type)
= (excluded.mag, excluded.magType, excluded.place, excluded.time, excluded.updated, excluded.tz,
   excluded.lon, excluded.lat, excluded.depth, excluded.felt, excluded.cdi, excluded.mmi, excluded.alert,
   excluded.status, excluded.tsunami, excluded.sig, excluded.ids, excluded.sources, excluded.types,
   excluded.nst, excluded.dmin, excluded.rms, excluded.gap, excluded.type)
WHERE (mag, magType, place, time, updated, tz, lon, lat, depth, felt, cdi, mmi, alert,
       status, tsunami, sig, ids, sources, types, nst, dmin, rms, gap, type)
IS NOT (excluded.mag, excluded.magType, excluded.place, excluded.time, excluded.updated, excluded.tz,
        excluded.lon, excluded.lat, excluded.depth, excluded.felt, excluded.cdi, excluded.mmi, excluded.alert,
        excluded.status, excluded.tsunami, excluded.sig, excluded.ids, excluded.sources, excluded.types,
        excluded.nst, excluded.dmin, excluded.rms, excluded.gap, excluded.type);

COMMIT;
