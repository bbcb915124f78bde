import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("A cache of version 1", .scratch)
struct SchemaUpgradeTests {
    @Test("Claims are the same before and after the upgrade, and damage stays to be seen")
    func claims() throws {
        let (_, context) = try ScratchStore.ofTest()
        let database = context.connection
        let none: Double? = nil
        try database.execute("DROP TABLE claimed; CREATE TABLE windows (question TEXT); \(Self.firstClaims)")
        try database.execute("DROP TABLE taken_back; DROP TABLE unreadable")
        let insertion = CheckedTable.firstClaims.insertion()
        try database.run(
            insertion, "feed", 0, 10, 20, 0, none, none, none, none, none, none, none, none, none, none, none, "")
        try database.run(
            insertion, "backfill", 10, 30, 40, 1, -1.5, 4.0, 0.25, 70.0, 170.0, -10.0, -170.0, 10.5, 19.4, -155.3,
            303.7, #"a "b",earthquake"#)
        try database.execute("UPDATE claims SET as_of = 21 WHERE since = 0")
        var conditions = QuakeFilter(
            minimumMagnitude: -1.5, maximumMagnitude: 4, minimumDepthKilometers: 0.25, maximumDepthKilometers: 70,
            boundingBox: try BoundingBox(west: 170, south: -10, east: -170, north: 10.5),
            eventTypes: ["earthquake", #"a "b""#])
        conditions.circle = QuakeFilter.Circle(
            center: GeographicPoint(latitude: 19.4, longitude: -155.3), radiusKilometers: 303.7)
        let expected = [
            Claim(
                source: .feed, originTimes: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: 10),
                asOf: Timestamp(milliseconds: 21)),
            Claim(
                conditions: conditions, originTimes: Timestamp(milliseconds: 10)..<Timestamp(milliseconds: 30),
                asOf: Timestamp(milliseconds: 40), isOpenEnded: true),
        ]
        #expect(try ClaimLedger(in: database).claims == expected)
        try database.execute(
            SolutionKind.newInVersion3.map { "ALTER TABLE origins DROP COLUMN \($0.rawValue)" }.reduce(
                "DROP VIEW solutions_v1"
            ) { "\($0); \($1)" }
        )
        try database.execute(
            SchemaObjects.solutionsView(SolutionKind.origins.fields(inVersion: 1).map(\.rawValue) + ["quake"]))
        try SchemaUpgrade.run(database, from: 1)
        #expect(try ClaimLedger(in: database).claims == expected)
        let findings = try context.maintenance.verify().findings
        #expect(findings.map(\.check) == [.rows], "\(findings)")
    }

    private static let firstClaims = """
        CREATE TABLE claims (
            source TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, as_of INTEGER NOT NULL,
            open_ended INTEGER NOT NULL, min_mag REAL, max_mag REAL, min_depth REAL, max_depth REAL, west REAL,
            south REAL, east REAL, north REAL, lat REAL, lon REAL, radius REAL, types TEXT NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """
}
