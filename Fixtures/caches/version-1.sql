BEGIN TRANSACTION;
PRAGMA application_id = 1364544325;
PRAGMA user_version = 1;
CREATE TABLE aliases (
    alias TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
    quake INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "aliases" VALUES('ci49000130',1);
INSERT INTO "aliases" VALUES('hv79000218',2);
INSERT INTO "aliases" VALUES('aka2026zzfqmv',3);
INSERT INTO "aliases" VALUES('tx2026zzjkdw',4);
INSERT INTO "aliases" VALUES('us7000zzc4',5);
INSERT INTO "aliases" VALUES('nc79100455',6);
INSERT INTO "aliases" VALUES('pr71990117',7);
INSERT INTO "aliases" VALUES('us7000zzbq',8);
INSERT INTO "aliases" VALUES('uu80990412',9);
INSERT INTO "aliases" VALUES('ci49000117',10);
INSERT INTO "aliases" VALUES('us7000zzay',11);
INSERT INTO "aliases" VALUES('ok2026zzab',12);
INSERT INTO "aliases" VALUES('tx2026zzab',13);
INSERT INTO "aliases" VALUES('av91990744',14);
INSERT INTO "aliases" VALUES('nn00990521',15);
INSERT INTO "aliases" VALUES('us7000zz9d',16);
INSERT INTO "aliases" VALUES('se60990213',17);
INSERT INTO "aliases" VALUES('hv79000143',18);
INSERT INTO "aliases" VALUES('ci49000081',19);
INSERT INTO "aliases" VALUES('uw62990377',20);
INSERT INTO "aliases" VALUES('us7000zz5k',21);
INSERT INTO "aliases" VALUES('nc79100398',22);
INSERT INTO "aliases" VALUES('tx2026zzaqpn',23);
INSERT INTO "aliases" VALUES('us7000zz3h',24);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    txn INTEGER NOT NULL,
    quake INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    reason TEXT NOT NULL,
    before TEXT,
    after TEXT,
    merged_into INTEGER
) STRICT;
INSERT INTO "changes" VALUES(1,1,1,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(2,1,2,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(3,1,3,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(4,1,4,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(5,1,5,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(6,1,6,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(7,1,7,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(8,1,8,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(9,1,9,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(10,1,10,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(11,1,11,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(12,1,12,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(13,1,13,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(14,1,14,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(15,1,15,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(16,1,16,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(17,1,17,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(18,1,18,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(19,1,19,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(20,1,20,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(21,1,21,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(22,1,22,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(23,1,23,0,'new',NULL,NULL,NULL);
INSERT INTO "changes" VALUES(24,1,24,0,'new',NULL,NULL,NULL);
CREATE TABLE consumers (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    number INTEGER NOT NULL,
    seen INTEGER NOT NULL
) STRICT;
INSERT INTO "consumers" VALUES('alarm','q1.jv83pvc4jvakj.1.fbf19898',1,1773489605000);
CREATE TABLE departed (
    quake INTEGER PRIMARY KEY,
    confirmed INTEGER NOT NULL,
    reason TEXT NOT NULL,
    merged_into INTEGER
) STRICT;
CREATE TABLE doubts (
    quake INTEGER NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    sightings INTEGER NOT NULL,
    news INTEGER,
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
    error TEXT,
    error_time INTEGER,
    roster BLOB
) STRICT;
INSERT INTO "feeds" VALUES('all_day',NULL,1773489600000,NULL,NULL,NULL,1773489605000,24,NULL,NULL,NULL,X'010101010101010101010101010101010101010101010101');
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
    UNIQUE (net, code)
) STRICT;
INSERT INTO "quakes" VALUES(1,1,320217622823753269,1773489600000,'ci','49000130',1773489134310,35.6611667,-117.6043333,4.87,1.14,'ml','5 km WSW of Marlow Springs, CA','earthquake','automatic',1773489374350,NULL,NULL,NULL,NULL,0,20,',ci49000130,',',ci,',',nearby-cities,origin,phase-data,scitech-link,',21,0.05218,0.15,63.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(2,2,4992996896934424324,1773489600000,'hv','79000218',1773488463270,19.1706676483154,-155.45849609375,31.7099990844727,2.0899999,'md','4 km SSE of Pāhola, Hawaii','earthquake','automatic',1773488703310,NULL,NULL,NULL,NULL,0,67,',hv79000218,',',hv,',',origin,phase-data,',38,0.03911,0.119999997,141.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(3,3,-2405664808812401609,1773489600000,'ak','a2026zzfqmv',1773487720115,62.519,-151.284,88.4,1.6,'ml','31 km NW of Tolsa Lake, Alaska','earthquake','automatic',1773487960155,NULL,NULL,NULL,NULL,0,39,',aka2026zzfqmv,',',ak,',',origin,phase-data,',NULL,NULL,0.62,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(4,4,7272062942856999908,1773489600000,'tx','2026zzjkdw',1773486475641,31.62,-104.117,5.9143,2.46,'ml','22 km SE of Barrow Wells, Texas','earthquake','reviewed',1773488180512,NULL,NULL,NULL,NULL,0,93,',tx2026zzjkdw,',',tx,',',origin,phase-data,',29,0.1,0.2,58.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(5,5,-6561248192854842359,1773489600000,'us','7000zzc4',1773484938906,35.7421,-117.4812,10.0,3.1,'mb','9 km NNE of Marlow Springs, CA','earthquake','automatic',1773485864040,4,2.7,NULL,NULL,0,148,',us7000zzc4,',',us,',',dyfi,origin,phase-data,',24,0.312,0.71,88.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(6,6,6441858706222994540,1773489600000,'nc','79100455',1773483331480,38.8141667,-122.8023333,-0.42,-0.31,'md','2 km ESE of Cobalt Flat, CA','earthquake','automatic',1773483571520,NULL,NULL,NULL,NULL,0,-1,',nc79100455,',',nc,',',nearby-cities,origin,phase-data,',6,0.0081,0.02,171.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(7,7,-4305877259565884385,1773489600000,'pr','71990117',1773482282630,18.8303,-67.4125,27.6,2.74,'md','41 km NNW of Isla Serena, Puerto Rico','earthquake','reviewed',1773484812733,NULL,NULL,NULL,NULL,0,116,',pr71990117,',',pr,',',origin,phase-data,',15,0.4027,0.31,244.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(8,8,3470051170823419439,1773489600000,'us','7000zzbq',1773479567204,40.3126,141.0378,63.521,5.3,'mww','58 km WSW of Hachinawa, Japan','earthquake','reviewed',1773487205081,11,3.4,4.112,'green',0,432,',us7000zzbq,',',us,',',dyfi,losspager,moment-tensor,origin,phase-data,shakemap,',97,1.284,0.83,71.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(9,9,5479150964587568003,1773489600000,'uu','80990412',1773478166750,38.5016667,-111.4488333,7.3,0.72,'md','12 km S of Kettle Creek, Utah','earthquake','automatic',1773478406790,NULL,NULL,NULL,NULL,0,8,',uu80990412,',',uu,',',origin,phase-data,',11,0.03304,0.17,104.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(10,10,-6651316741534923005,1773489600000,'ci','49000117',1773476409140,33.0478333,-116.3518333,12.04,1.88,'ml','14 km E of Palo Hondo, CA','earthquake','automatic',1773476649180,NULL,NULL,NULL,NULL,0,54,',ci49000117,',',ci,',',focal-mechanism,nearby-cities,origin,phase-data,scitech-link,',52,0.04417,0.21,37.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(11,11,7546086184166846671,1773489600000,'us','7000zzay',1773473631882,-30.8856,-70.9417,44.18,6.2,'mww','83 km SE of Puerto Almendra, Chile','earthquake','reviewed',1773488910627,214,6.2,6.318,'green',1,724,',us7000zzay,',',us,',',dyfi,ground-failure,losspager,moment-tensor,origin,phase-data,shakemap,',164,0.447,0.94,36.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(12,12,777313429772511303,1773489600000,'ok','2026zzab',1773471434330,36.11983333,-97.40616667,6.02,1.9,'ml','6 km NE of Cedar Hollow, Oklahoma','earthquake','reviewed',1773482571610,NULL,NULL,NULL,NULL,0,56,',ok2026zzab,',',ok,',',origin,phase-data,',44,0.0709,0.28,49.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(13,13,7340407376307316913,1773489600000,'tx','2026zzab',1773469900027,32.271,-101.866,4.2998,2.2,'ml','37 km NNW of Dry Fork, Texas','earthquake','automatic',1773470140067,NULL,NULL,NULL,NULL,0,74,',tx2026zzab,',',tx,',',origin,phase-data,',23,0.0,0.4,66.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(14,14,5803493145681198709,1773489600000,'av','91990744',1773467052290,59.3662,-153.2195,3.11,NULL,NULL,'9 km W of Mount Kasilan, Alaska','earthquake','automatic',1773467292330,NULL,NULL,NULL,NULL,0,0,',av91990744,',',av,',',origin,phase-data,',5,0.06117,0.09,188.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(15,15,5084973175359909930,1773489600000,'nn','00990521',1773462393418,38.1538,-117.6071,9.8,1.3,'ml','26 km ESE of Silver Basin, Nevada','earthquake','reviewed',1773487867902,NULL,NULL,NULL,NULL,0,26,',nn00990521,',',nn,',',origin,phase-data,',19,0.118,0.1464,83.21,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(16,16,3512921667569309011,1773489600000,'us','7000zz9d',1773460220771,-28.4417,180.0,402.716,4.6,'mb','Mid-Orient Ridge','earthquake','reviewed',1773462718040,NULL,NULL,NULL,NULL,0,326,',us7000zz9d,',',us,',',origin,phase-data,',41,5.117,0.77,92.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(17,17,-5701086522413661065,1773489600000,'se','60990213',1773455879160,35.4188333,-84.6195,11.62,1.75,'md','3 km SW of Linden Gap, Tennessee','earthquake','reviewed',1773479740370,2,2.0,NULL,NULL,0,47,',se60990213,',',se,',',dyfi,origin,phase-data,',14,0.1629,0.11,127.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(18,18,1383165475793199617,1773489600000,'hv','79000143',1773451328940,19.9113330841064,-155.110000610352,13.4700002670288,2.3,'ml','11 km ENE of Kōlea Bay, Hawaii','earthquake','reviewed',1773460517180,NULL,NULL,NULL,NULL,0,81,',hv79000143,',',hv,',',origin,phase-data,',41,0.07732,0.170000002,96.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(19,19,8374897160096611504,1773489600000,'ci','49000081',1773440086520,34.6321667,-117.2298333,-0.77,1.47,'ml','Quarry, 5 km N of Oro Seco, CA','quarry blast','reviewed',1773448821960,NULL,NULL,NULL,NULL,0,33,',ci49000081,',',ci,',',origin,phase-data,',26,0.09931,0.14,71.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(20,20,6238333326835888229,1773489600000,'uw','62990377',1773428607210,46.8528333,-122.6016667,17.84,0.98,'md','8 km NW of Fern Prairie, Washington','earthquake','reviewed',1773440223740,NULL,NULL,NULL,NULL,0,15,',uw62990377,',',uw,',',origin,phase-data,',17,0.1102,0.16,70.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(21,21,2223319991313096265,1773489600000,'us','7000zz5k',1773420491006,-5.2271,128.5573,10.0,4.9,'mwr','112 km NNE of Tanjung Biru, Indonesia','earthquake','reviewed',1773422433040,NULL,NULL,NULL,NULL,0,369,',us7000zz5k,',',us,',',moment-tensor,origin,phase-data,',78,2.616,0.88,54.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(22,22,-8727763657248385993,1773489600000,'nc','79100398',1773406296870,38.8715,-122.8481667,1.96,1.02,'md','7 km NW of Cobalt Flat, CA','earthquake','automatic',1773406536910,NULL,NULL,NULL,NULL,0,16,',nc79100398,',',nc,',',nearby-cities,origin,phase-data,',12,0.00914,0.03,92.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(23,23,2671125595331573567,1773489600000,'tx','2026zzaqpn',1773405185492,31.617,-104.121,6.1027,1.7,'ml','22 km SE of Barrow Wells, Texas','earthquake','automatic',1773405425532,NULL,NULL,NULL,NULL,0,44,',tx2026zzaqpn,',',tx,',',origin,phase-data,',20,0.1,0.1,65.0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "quakes" VALUES(24,24,-6372108715229241984,1773489600000,'us','7000zz3h',1773403610318,51.0319,-176.2204,35.0,4.4,'mb','South of the Lorne Islands','earthquake','reviewed',1773405619040,NULL,NULL,NULL,NULL,0,298,',us7000zz3h,',',us,',',origin,phase-data,',33,0.902,0.52,168.0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE store (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    floor INTEGER NOT NULL DEFAULT 0,
    floor_fingerprint INTEGER NOT NULL DEFAULT 0,
    floor_time INTEGER,
    floor_moved INTEGER,
    floor_author TEXT
) STRICT;
INSERT INTO "store" VALUES(1,'jv83pvc4jvakj',1773489605000,0,0,NULL,NULL,NULL);
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
    last_change INTEGER NOT NULL,
    inserted INTEGER NOT NULL DEFAULT 0,
    updated INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "transactions" VALUES(1,1773489605000,4226914456,'quakes.refresh','all_day',1,'host','quakes 0.1.0','https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson',1773489600000,NULL,'70e3ff3f060af5478076548cc6c350acd05004f79a4dab48e5c2fe8caeb746c4',24,24,24,0,0);
CREATE INDEX quakes_by_time ON quakes (time DESC, net || code, mag, hash);
CREATE INDEX aliases_by_quake ON aliases (quake);
CREATE INDEX changes_by_quake ON changes (quake);
CREATE TRIGGER guard_quakes_insert BEFORE INSERT ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_quakes_update BEFORE UPDATE ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_quakes_delete BEFORE DELETE ON quakes
BEGIN SELECT RAISE(ABORT, 'the quakes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_aliases_insert BEFORE INSERT ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_aliases_update BEFORE UPDATE ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_aliases_delete BEFORE DELETE ON aliases
BEGIN SELECT RAISE(ABORT, 'the aliases of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_insert BEFORE INSERT ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_update BEFORE UPDATE ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_transactions_delete BEFORE DELETE ON transactions
BEGIN SELECT RAISE(ABORT, 'the transactions of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_insert BEFORE INSERT ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_update BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE TRIGGER guard_changes_delete BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the changes of a quakes cache change only through quakes, which keeps their history'); END;
CREATE VIEW quakes_v1 AS SELECT
    net || code AS id, time, lat, lon, depth, mag, magType, place, type, status, updated, felt, cdi, mmi, alert,
    tsunami, sig, net, code, ids, sources, types, nst, dmin, rms, gap, tz,
    coalesce(title, 'M ' || CASE WHEN mag IS NULL THEN '?' ELSE replace(printf('%s%.1f', CASE WHEN mag <= -0.05 THEN '-' ELSE '' END, abs(mag) + 1e-10), '-0.0', '0.0') END || ' - ' || coalesce(place, '')) AS title, coalesce(url, 'https://earthquake.usgs.gov/earthquakes/eventpage/' || net || code) AS url, coalesce(detail, 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/' || net || code || '.geojson') AS detail,
    extra, key AS quake
FROM quakes;
CREATE VIEW changes_v1 AS SELECT
    c.id AS change_id, c.txn AS "transaction", t.time AS time, t.author AS author, t.context AS context,
    t.generated AS generated, CASE c.kind WHEN 0 THEN 'insert' WHEN 1 THEN 'update' ELSE 'delete' END AS op,
    c.reason AS reason, c.quake AS quake,
    coalesce(q.net || q.code, c.before ->> 'net' || (c.before ->> 'code')) AS id,
    c.before AS before, c.after AS after, c.merged_into AS merged_into
FROM changes c JOIN transactions t ON t.number = c.txn LEFT JOIN quakes q ON q.key = c.quake;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('transactions',1);
INSERT INTO "sqlite_sequence" VALUES('changes',24);
INSERT INTO "sqlite_sequence" VALUES('quakes',24);
COMMIT;
