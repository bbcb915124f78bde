import ArgumentParser
import Glibc
import QuakeModel
import Testing

@testable import QuakeCommands

struct TimeExpressionTests {
    private let now = Timestamp(milliseconds: 1_626_986_384_040)

    @Test(
        "Times such as 2h, today and 2021-07 are resolved to the right moment",
        arguments: [
            ("now", "2021-07-22T20:39:44.040Z"), ("90s", "2021-07-22T20:38:14.040Z"),
            ("15m", "2021-07-22T20:24:44.040Z"),
            ("2h", "2021-07-22T18:39:44.040Z"), ("7d", "2021-07-15T20:39:44.040Z"), ("3w", "2021-07-01T20:39:44.040Z"),
            ("0s", "2021-07-22T20:39:44.040Z"), ("2021-07-20", "2021-07-20T00:00:00.000Z"),
            ("2021-07-20T10:30", "2021-07-20T10:30:00.000Z"), ("2021-07-20T10:30:00+02:00", "2021-07-20T08:30:00.000Z"),
            ("2021-07-20T10:30:00-03:30", "2021-07-20T14:00:00.000Z"),
            ("1906-04-18T13:12:21Z", "1906-04-18T13:12:21.000Z"), ("9999w", "1829-12-03T20:39:44.040Z"),
            ("300000000000s", "0000-01-01T00:00:00.000Z"), ("today", "2021-07-22T00:00:00.000Z"),
            ("yesterday", "2021-07-21T00:00:00.000Z"), ("2020", "2020-01-01T00:00:00.000Z"),
            ("2020-02", "2020-02-01T00:00:00.000Z"), ("2d12h", "2021-07-20T08:39:44.040Z"),
            ("1y", "2020-07-22T20:39:44.040Z"), ("2 days", "2021-07-20T20:39:44.040Z"),
            ("10min", "2021-07-22T20:29:44.040Z"), ("2 hours 30 min", "2021-07-22T18:09:44.040Z"),
            ("1 week", "2021-07-15T20:39:44.040Z"),
            ("yesterday 10:00", "2021-07-21T10:00:00.000Z"), ("today 00:00:30", "2021-07-22T00:00:30.000Z"),
            ("@1700000000", "2023-11-14T22:13:20.000Z"),
            ("@-1", "1969-12-31T23:59:59.000Z"),
        ])
    func resolves(text: String, expected: String) throws {
        #expect(try TimeExpression.parse(text).resolve(now: now, zone: .utc).iso8601 == expected)
    }

    @Test(
        "Invalid times, such as 2x, 10:00 and 2021-02-30, are rejected",
        arguments: [
            "", "2", "h", "ago", "--2h", "-", "+2h", "2x", "2d ago", "last week", "-2d", "midnight", "yesterday 25:00",
            "yesterday 24:00",
            "yesterday 10", "10:00", "today today", "@", "@1.5", "@x", "@99999999999999", "-2021-07-22", "2d -1h",
            "1.5h",
            "2021-02-30", "2021-7-1", "2021-13", "202", "2h30", "tomorrow",
            "99999999999999999999s",
            "9223372036854775807w", "٣h", "NOW",
        ])
    func invalidExpressions(text: String) {
        #expect(throws: ValidationError.self) { try TimeExpression.parse(text) }
    }

    @Test("\"today\" and \"yesterday\" refer to the chosen time zone, even on days when clocks change")
    func daysOfZone() async {
        // In a separate process, because the time zone applies to the whole process.
        await #expect(processExitsWith: .success) {
            let berlin = try #require(LocalTime.inFile("Europe/Berlin"))
            // On March 28, 2021 clocks jump from 02:00 to 03:00; on October 31 they go back from 03:00 to 02:00.
            for (now, text, expected) in [
                ("2021-07-22T20:39", "today", "2021-07-21T22:00"),
                ("2021-07-22T23:00", "today", "2021-07-22T22:00"), ("2021-07-22T20:39", "2h", "2021-07-22T18:39"),
                ("2021-07-22T20:39", "yesterday 10:00", "2021-07-21T08:00"),
                ("2021-07-22T20:39", "2021-07-22", "2021-07-21T22:00"),
                ("2021-07-22T20:39", "2021-07", "2021-06-30T22:00"), ("2021-07-22T20:39", "2021", "2020-12-31T23:00"),
                ("2021-07-22T20:39", "2021-07-22 10:30", "2021-07-22T08:30"),
                ("2021-07-22T20:39", "2021-07-22T10:30Z", "2021-07-22T10:30"),
                ("2021-07-22T20:39", "2021-07-22T10:30-07:00", "2021-07-22T17:30"),
                ("2021-07-22T20:39", "@1626986384", "2021-07-22T20:39:44"),
                ("2021-03-28T20:00", "today", "2021-03-27T23:00"),
                ("2021-03-28T20:00", "today 01:59", "2021-03-28T00:59"),
                ("2021-03-28T20:00", "today 02:30", "2021-03-28T01:00"),
                ("2021-03-28T20:00", "today 03:00", "2021-03-28T01:00"),
                ("2021-10-31T20:00", "today 02:30", "2021-10-31T00:30"),
                ("2021-10-31T20:00", "today 03:00", "2021-10-31T02:00"),
            ] {
                let moment = try #require(Timestamp(iso8601: now + "Z"))
                let resolved = try TimeExpression.parse(text).resolve(now: moment, zone: berlin)
                #expect(resolved == Timestamp(iso8601: expected + "Z"), "\(now) \(text): \(resolved.iso8601)")
                if resolved != Timestamp(iso8601: expected + "Z") { exit(1) }
            }
        }
    }

    @Test("--since and --until limit the origin times that match") func boundsInFilter() throws {
        var filter = QuakeFilter()
        try OriginTimeOptions.parse(["--since", "7d", "--until=2021-07-22"]).restrict(&filter, now: now, zone: .utc)
        #expect(filter.since == now - .seconds(604_800))
        #expect(filter.until?.iso8601 == "2021-07-22T00:00:00.000Z")
    }

    @Test("--since after --until is rejected") func emptyBounds() throws {
        var filter = QuakeFilter()
        let options = try OriginTimeOptions.parse(["--since", "1d", "--until", "2d"])
        #expect(throws: ValidationError.self) { try options.restrict(&filter, now: now, zone: .utc) }
        #expect(filter == QuakeFilter())
    }

    @Test(
        "A duration is a number with a unit, or several, such as 10m or 1h30m",
        arguments: [("10m", 600), ("1w", 604_800), ("1h30m", 5400), ("0s", 0)])
    func durations(text: String, seconds: Int) throws {
        #expect(try Duration.parse(text) == .seconds(seconds))
    }
}
