import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

struct TimeExpressionTests {
    private let now = Timestamp(milliseconds: 1_626_986_384_040)

    @Test(arguments: [
        ("now", "2021-07-22T20:39:44.040Z"), ("90s", "2021-07-22T20:38:14.040Z"), ("15m", "2021-07-22T20:24:44.040Z"),
        ("2h", "2021-07-22T18:39:44.040Z"), ("7d", "2021-07-15T20:39:44.040Z"), ("3w", "2021-07-01T20:39:44.040Z"),
        ("0s", "2021-07-22T20:39:44.040Z"), ("2021-07-20", "2021-07-20T00:00:00.000Z"),
        ("2021-07-20T10:30", "2021-07-20T10:30:00.000Z"), ("2021-07-20T10:30:00+02:00", "2021-07-20T08:30:00.000Z"),
        ("1906-04-18T13:12:21Z", "1906-04-18T13:12:21.000Z"), ("9999w", "1829-12-03T20:39:44.040Z"),
        ("300000000000s", "0000-01-01T00:00:00.000Z"), ("today", "2021-07-22T00:00:00.000Z"),
        ("yesterday", "2021-07-21T00:00:00.000Z"), ("2020", "2020-01-01T00:00:00.000Z"),
        ("2020-02", "2020-02-01T00:00:00.000Z"), ("2d12h", "2021-07-20T08:39:44.040Z"),
        ("1y", "2020-07-22T20:39:44.040Z"),
    ])
    func resolvesToAMoment(text: String, expected: String) throws {
        #expect(try TimeExpression.parse(text).resolve(now: now).iso8601 == expected)
    }

    @Test(arguments: [
        "", "2", "h", "2 h", "-2h", "+2h", "2x", "1.5h", "2021-02-30", "2021-7-1", "2021-13", "202", "2h30", "tomorrow",
        "99999999999999999999s",
        "9223372036854775807w", "٣h", "NOW",
    ])
    func refusesEverythingElse(text: String) {
        #expect(throws: ValidationError.self) { try TimeExpression.parse(text) }
    }

    @Test func boundsAreAddedToTheFilter() throws {
        var filter = QuakeFilter()
        try OriginTimeOptions.parse(["--since", "7d", "--until=2021-07-22"]).restrict(&filter, now: now)
        #expect(filter.since == now - .seconds(604_800))
        #expect(filter.until?.iso8601 == "2021-07-22T00:00:00.000Z")
    }

    @Test func boundsWithNothingBetweenThemAreRefused() throws {
        var filter = QuakeFilter()
        let options = try OriginTimeOptions.parse(["--since", "1d", "--until", "2d"])
        #expect(throws: ValidationError.self) { try options.restrict(&filter, now: now) }
        #expect(filter == QuakeFilter())
    }

    @Test(arguments: [("10m", 600), ("1w", 604_800), ("1h30m", 5400), ("0s", 0)])
    func readsDurations(text: String, seconds: Int) throws {
        #expect(try Duration.parse(text) == .seconds(seconds))
    }
}
