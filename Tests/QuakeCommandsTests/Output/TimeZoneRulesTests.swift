import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands
@testable import QuakeOutput

struct TimeZoneRulesTests {
    /// Berlin as a file of the time zone database: two transitions of 2021, then the rule.
    private static func berlin(version: UInt8 = 2, rule: String = "CET-1CEST,M3.5.0,M10.5.0/3") -> [UInt8] {
        let block = { (size: Int) -> [UInt8] in
            func integer(_ value: Int64, _ size: Int) -> [UInt8] {
                (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
            }
            let header = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
            let counts = [0, 0, 0, 2, 2, 9].flatMap { integer($0, 4) }
            let times = [1_616_893_200, 1_635_642_000].flatMap { integer($0, size) }
            let types = integer(3600, 4) + [0, 0] + integer(7200, 4) + [1, 4]
            return header + counts + times + [1, 0] + types + Array("CET\0CEST\0".utf8)
        }
        return version == 0 ? block(4) : block(4) + block(8) + Array("\n\(rule)\n".utf8)
    }

    private func words(_ zone: TimeZoneRules?, _ text: String) throws -> String {
        LocalTime(name: "x", zone: try #require(zone)).words(try #require(Timestamp(iso8601: text)))
    }

    @Test(arguments: [UInt8(0), 2, 3])
    func theClocksChangeAtTheTransition(version: UInt8) throws {
        let zone = TimeZoneRules(file: Self.berlin(version: version))
        #expect(try words(zone, "2021-01-01T00:00Z") == "2021-01-01 01:00:00 CET")
        #expect(try words(zone, "2021-03-28T00:59:59Z") == "2021-03-28 01:59:59 CET")
        #expect(try words(zone, "2021-03-28T01:00:00Z") == "2021-03-28 03:00:00 CEST")
        #expect(try words(zone, "2021-10-31T00:59:59.999Z") == "2021-10-31 02:59:59 CEST")
        #expect(try words(zone, "2021-10-31T01:00:00Z") == "2021-10-31 02:00:00 CET")
    }

    @Test func afterTheLastTransitionTheRuleGoesOn() throws {
        let zone = TimeZoneRules(file: Self.berlin())
        #expect(try words(zone, "2050-03-27T00:59:59Z") == "2050-03-27 01:59:59 CET")
        #expect(try words(zone, "2050-03-27T01:00:00Z") == "2050-03-27 03:00:00 CEST")
        #expect(try words(zone, "2050-10-30T01:00:00Z") == "2050-10-30 02:00:00 CET")
        #expect(try words(TimeZoneRules(file: Self.berlin(rule: "")), "2050-07-01") == "2050-07-01 01:00:00 CET")
    }

    @Test func aDamagedFileIsRefusedAndNeverRead() {
        let whole = Self.berlin()
        for count in 0..<whole.count where count != whole.count {
            // Whatever is left of it must not crash; without the second block it is no file.
            let zone = TimeZoneRules(file: Array(whole.prefix(count)))
            if count < whole.count - "\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8.count { #expect(zone == nil, "\(count)") }
        }
        for index in whole.indices {
            var bytes = whole
            bytes[index] = 0xFF
            _ = TimeZoneRules(file: bytes)?.period(at: Timestamp(milliseconds: 1_620_000_000_000))
        }
        #expect(TimeZoneRules(file: Array("not a time zone at all".utf8)) == nil)
    }

    @Test(
        "A rule says when the clocks change",
        arguments: [
            ("UTC0", "2021-07-01T00:00Z", "2021-07-01 00:00:00 UTC"),
            ("<+0545>-5:45", "2021-07-01T00:00Z", "2021-07-01 05:45:00 +0545"),
            ("<-03>3", "2021-07-01T00:00Z", "2021-06-30 21:00:00 -03"),
            ("PST8PDT", "2021-03-14T09:59:59Z", "2021-03-14 01:59:59 PST"),
            ("PST8PDT", "2021-03-14T10:00:00Z", "2021-03-14 03:00:00 PDT"),
            // The southern summer spans the turn of the year.
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2021-01-01T00:00Z", "2021-01-01 11:00:00 AEDT"),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2021-04-03T16:00Z", "2021-04-04 02:00:00 AEST"),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2021-04-03T15:59Z", "2021-04-04 02:59:00 AEDT"),
            // Dublin's winter time is an hour behind its standard time.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2021-01-01T00:00Z", "2021-01-01 00:00:00 GMT"),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2021-07-01T00:00Z", "2021-07-01 01:00:00 IST"),
            // Nuuk changes the day before, by hours below zero.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T00:59:59Z", "2024-03-30 22:59:59 -02"),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2024-03-31T01:00:00Z", "2024-03-31 00:00:00 -01"),
            // The 60th day without 29 February, and the day 59 counted from 0 with it.
            ("AAA0BBB,J60/0,J61/0", "2024-03-01T12:00Z", "2024-03-01 13:00:00 BBB"),
            ("AAA0BBB,59/0,60/0", "2024-02-29T12:00Z", "2024-02-29 13:00:00 BBB"),
            ("AAA0BBB,59/0,60/0", "2023-03-01T12:00Z", "2023-03-01 13:00:00 BBB"),
            ("XXX3EDT4,0/0,J365/23", "2024-12-31T23:30Z", "2024-12-31 19:30:00 EDT"),
        ])
    func rules(rule: String, moment: String, expected: String) throws {
        // The offset of a permanent summer time is written out; POSIX counts west as positive.
        #expect(try words(PosixZone(rule).map { TimeZoneRules($0) }, moment) == expected)
    }

    @Test(arguments: ["", "CE-1", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.1.0,M1.1.0", "CET-99", "CET-1 ", "<CET-1"])
    func otherRulesAreRefused(rule: String) {
        #expect(PosixZone(rule) == nil)
    }

    @Test(
        "Every zone of this machine agrees with date(1)",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")),
        arguments: [
            "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Nuuk",
            "Africa/Casablanca", "Pacific/Apia", "Europe/Dublin", "America/Argentina/San_Luis", "Antarctica/Troll",
        ])
    func agreement(zone: String) async throws {
        let database = TimeZoneDatabase(directory: "/usr/share/zoneinfo", localFile: "/nowhere")
        let time = try database.localTime(zone)
        var random = SplitMix64(state: 14)
        let seconds = (0..<300).map { _ in Int64.random(in: -4_000_000_000...4_500_000_000, using: &random) }
        let dates = seconds.map { "@\($0)" }.joined(separator: "\n")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["TZ=\(zone)", "LC_ALL=C", "date", "--file=-", "+%Y-%m-%d %H:%M:%S %Z"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(dates.utf8))
        try input.fileHandleForWriting.close()
        let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let words = seconds.map { time.words(Timestamp(milliseconds: $0 * 1000)) }
        #expect(words == lines.split(separator: "\n").map(String.init))
    }
}

struct TimeZoneDatabaseTests {
    @Test func aZoneIsFoundByItsNameOnly() throws {
        try withScratchDirectory { scratch in
            let zones = scratch.url.appending(path: "zoneinfo/Europe")
            try FileManager.default.createDirectory(at: zones, withIntermediateDirectories: true)
            let berlin = Data(Array("TZif".utf8) + [0] + Array(repeating: UInt8(0), count: 15))
            let counts = Data([0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] })
            try (berlin + counts + Data([0, 0, 14, 16, 0, 0]) + Data("CET\0".utf8)).write(
                to: zones.appending(path: "Berlin"))
            let database = TimeZoneDatabase(
                directory: scratch.path("zoneinfo"), localFile: zones.appending(path: "Berlin").path)
            let moment = Timestamp(milliseconds: 0)
            #expect(try database.localTime("Europe/Berlin").words(moment) == "1970-01-01 01:00:00 CET")
            #expect(try database.localTime("local").words(moment) == "1970-01-01 01:00:00 CET")
            #expect(try database.localTime("utc").isUTC)
            for (name, suggestion) in [
                ("Europe/Berln", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("Nowhere at all", nil), ("", nil),
                ("../zoneinfo/Europe/Berlin", "Europe/Berlin"), (zones.path + "/Berlin", "Europe/Berlin"),
            ] {
                #expect(throws: TimeZoneFault.unknown(suggestion: suggestion)) { try database.localTime(name) }
            }
            let empty = TimeZoneDatabase(directory: scratch.path("none"), localFile: "/nowhere")
            #expect(throws: TimeZoneFault.noDatabase(directory: scratch.path("none"))) {
                try empty.localTime("Europe/Berlin")
            }
            #expect(try empty.localTime("local").words(moment) == "1970-01-01 00:00:00 UTC")
        }
    }

    @Test(arguments: [
        ("JST-9", "1970-01-01 09:00:00 JST"), ("nonsense", "1970-01-01 00:00:00 UTC"), ("", "1970-01-01 00:00:00 UTC"),
        (":UTC", "1970-01-01 00:00:00 UTC"),
    ])
    func theVariableTZNamesTheLocalZone(variable: String, words: String) throws {
        let database = TimeZoneDatabase(directory: "/nowhere", variable: variable, localFile: "/nowhere")
        #expect(try database.localTime("local").words(Timestamp(milliseconds: 0)) == words)
    }

    @Test func aTitleNamesTheCity() {
        let zone = TimeZoneRules(PosixZone(abbreviation: "PST", offset: -28_800))
        #expect(LocalTime(name: "America/Los_Angeles", zone: zone).title == "LOS ANGELES")
        #expect(LocalTime(name: "local", zone: zone).title == "LOCAL" && LocalTime.utc.title == "UTC")
        let distant = Timestamp(milliseconds: .max)
        #expect(LocalTime(name: "local", zone: zone).shifted(distant) == distant)
    }
}
