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
        "ISO 8601 is accepted in its basic form, with any offset, a comma, 24:00 and second 60",
        arguments: [
            ("20210720", "2021-07-20T00:00:00.000Z"), ("20210720T08", "2021-07-20T08:00:00.000Z"),
            ("20210720T0830", "2021-07-20T08:30:00.000Z"), ("20210720T083015Z", "2021-07-20T08:30:15.000Z"),
            ("20210720t083015,25z", "2021-07-20T08:30:15.250Z"), ("20210720 0830", "2021-07-20T08:30:00.000Z"),
            ("2021-07-20T08:30+0200", "2021-07-20T06:30:00.000Z"), ("2021-07-20T08:30-02", "2021-07-20T10:30:00.000Z"),
            ("2021-07-20 08:30:00 -0330", "2021-07-20T12:00:00.000Z"),
            ("2021-07-20 08:30 UTC", "2021-07-20T08:30:00.000Z"), ("2021-07-20Z", "2021-07-20T00:00:00.000Z"),
            ("2021-07-20T08:30:15,5", "2021-07-20T08:30:15.500Z"),
            ("2021-07-20T08:30:15.123456789Z", "2021-07-20T08:30:15.123Z"),
            ("2021-07-20T24:00", "2021-07-21T00:00:00.000Z"), ("yesterday 24:00", "2021-07-22T00:00:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
            ("2016-12-31T235960.7Z", "2017-01-01T00:00:00.000Z"), ("2021-7-1 8:30", "2021-07-01T08:30:00.000Z"),
            ("2021-7", "2021-07-01T00:00:00.000Z"), ("2020-02-29", "2020-02-29T00:00:00.000Z"),
            ("1626986384", "2021-07-22T20:39:44.000Z"), ("1626986384040", "2021-07-22T20:39:44.040Z"),
            ("9999-12-31T24:00", "9999-12-31T23:59:59.999Z"),
        ])
    func formsOfISO8601(text: String, expected: String) throws {
        try resolves(text: text, expected: expected)
    }

    @Test(
        "Ages may have decimals, a minus or \"ago\"; weekdays are before today; case does not matter",
        arguments: [
            ("1.5h", "2021-07-22T19:09:44.040Z"), (".5h", "2021-07-22T20:09:44.040Z"),
            ("7D", "2021-07-15T20:39:44.040Z"), ("2 Hours 30 MIN", "2021-07-22T18:09:44.040Z"),
            ("2 days ago", "2021-07-20T20:39:44.040Z"), ("2D AGO", "2021-07-20T20:39:44.040Z"),
            ("an hour ago", "2021-07-22T19:39:44.040Z"), ("-7d", "2021-07-15T20:39:44.040Z"),
            ("now-7d", "2021-07-15T20:39:44.040Z"), ("Now - 1.5 h", "2021-07-22T19:09:44.040Z"),
            ("NOW", "2021-07-22T20:39:44.040Z"), ("TODAY", "2021-07-22T00:00:00.000Z"),
            ("Yesterday  8:00", "2021-07-21T08:00:00.000Z"),
            // July 22, 2021, is a Thursday.
            ("tuesday", "2021-07-20T00:00:00.000Z"), ("thursday", "2021-07-15T00:00:00.000Z"),
            ("friday", "2021-07-16T00:00:00.000Z"), ("Last Wednesday 22:15", "2021-07-21T22:15:00.000Z"),
            ("sun", "2021-07-18T00:00:00.000Z"),
        ])
    func agesAndWeekdays(text: String, expected: String) throws {
        try resolves(text: text, expected: expected)
    }

    @Test(
        "A weekday is the last one before today, on any day of the week and even before 1970",
        arguments: [
            ("2021-07-18", "2021-07-11"), ("2021-07-19", "2021-07-18"), ("2021-07-24", "2021-07-18"),
            ("1969-12-21", "1969-12-14"), ("1969-12-24", "1969-12-21"), ("1970-01-01", "1969-12-28"),
        ])
    func sundays(today: String, sunday: String) throws {
        let now = try #require(Timestamp(iso8601: today + "T23:59Z"))
        #expect(try TimeExpression.parse("sunday").resolve(now: now, zone: .utc) == Timestamp(iso8601: sunday))
    }

    @Test(
        "Text that is not a time, or may be several, is rejected with the usual forms of a time",
        arguments: [
            "", " ", "2", "h", "ago", "--2h", "-", "+2h", "2x", "-2d ago", "2d -1h", "2d-1h", "1.h", "1e3s", "now+1h",
            "now-", "midnight", "tomorrow", "week", "yesterday 10", "yesterday 1000", "tuesday 2026", "monday 10",
            "today today", "@", "@1.5", "@x", "@99999999999999", "-2021-07-22", "162698638",
            "16269863840",
            "202107", "2021-0722", "202107-22", "202107220830", "20210722083015", "2021Z", "2021-07Z", "2021-07-22-05",
            "2021-07-22+02:00", "2021-07-22 08", "2021-07-22T", "2021-07-22T830", "2021-07-22T08:30+2",
            "2021-W29", "2021-203", "2021203", "202", "2h30", "99999999999999999999s", "9223372036854775807w", "٣h",
            "２０２１", "P7D", String(repeating: "9", count: 10_000),
        ])
    func otherText(text: String) {
        adviceOnTimes(
            text: text,
            advice:
                "Write a time such as 2021-07-22, \"2021-07-22 20:39\", 7d, \"2 hours ago\" or yesterday.")
    }

    @Test(
        "A time that does not exist, or may mean several things, is rejected with what to write",
        arguments: [
            ("2026-02-30", "There is no February 30; February 2026 has 28 days."),
            ("20200230T10Z", "There is no February 30; February 2020 has 29 days."),
            ("2021-01-00", "There is no January 00; January 2021 has 31 days."),
            ("2021-13", "There is no month 13; months are 01 to 12."),
            ("2999", "A year without a month must be 1600 to 2199; write 2999-01-01."),
            ("31122025", "There is no month 20; months are 01 to 12."),
            ("yesterday 25:00", "There is no hour 25; hours are 00 to 23."),
            ("2021-07-22T12:60", "There is no minute 60; minutes are 00 to 59."),
            ("2021-07-22T125961", "There is no second 61; seconds are 00 to 59."),
            ("2021-07-22T24:01", "A day ends at 24:00."),
            ("2021-07-22T08:30+24", "There is no offset +24 from UTC; offsets are -23:59 to +23:59."),
            ("1,5h", "Write 1.5 with a decimal point."), ("6M", "M may mean minutes or months; write min or mo."),
            ("1580", "A year without a month must be 1600 to 2199; write 1580-01-01."),
            ("0830", "Write 0830-01-01 for the year, or \"today 08:30\" for the time of day."),
            ("2359", "Write 2359-01-01 for the year, or \"today 23:59\" for the time of day."),
            ("25:00", "There is no hour 25; hours are 00 to 23."),
            ("08:00", "Write the day, too: \"today 08:00\" or \"yesterday 08:00\"."),
            ("last week", "Write an age such as 7d, or a day or month such as 2026-11-02 or 2026-11."),
            ("This Month", "Write an age such as 7d, or a day or month such as 2026-11-02 or 2026-11."),
            ("past 24 hours", "Write an age such as 7d, or a day or month such as 2026-11-02 or 2026-11."),
            ("next tuesday", "Write an age such as 7d, or a day or month such as 2026-11-02 or 2026-11."),
            ("yesterday 10 pm", "Write a time of day on the 24-hour clock, such as \"yesterday 22:00\"."),
            (
                "2021-07-22 08:30 EST",
                "Write the zone as an offset, such as 2026-01-31T08:30-05:00, or choose it with --tz."
            ),
            (
                "2021-07-22T08:30 America/Denver",
                "Write the zone as an offset, such as 2026-01-31T08:30-05:00, or choose it with --tz."
            ),
            ("31/12/2025", "Write the date as 2025-12-31."), ("12/31/2025 10:00", "Write the date as 2025-12-31."),
            ("2025/12/31", "Write the date as 2025-12-31."), ("31.12.2025", "Write the date as 2025-12-31."),
            ("1/2/2026", "Write the date as 2026-01-02 or 2026-02-01, whichever you mean."),
            ("12/31", "Write a date as year, month and day, such as 2025-12-31."),
            ("1/2/26", "Write a date as year, month and day, such as 2025-12-31."),
            ("2021-07-22..2021-07-23", "Write the two ends of a range separately: 2021-07-22 and 2021-07-23."),
            ("2021-07-22/20210723", "Write the two ends of a range separately: 2021-07-22 and 20210723."),
        ])
    func adviceOnTimes(text: String, advice: String) {
        let error = #expect(throws: ValidationError.self) { try TimeExpression.parse(text) }
        #expect(error?.message == advice, "\(text)")
    }

    @Test("An invalid time in an option is reported in at most two lines of 80 columns") func lengthOfMessage() throws {
        for (command, option) in [("list", "--since"), ("list", "--at"), ("purge", "--before"), ("changes", "--since")]
        {
            let words = [command, option, "2021-W29"]
            let error = try #require(throws: (any Error).self) { try QuakesCommand.command(for: words) }
            let lines = WrappedLines.split(UsageMessage.text(for: error, in: words), columns: 80)
            #expect(lines.count <= 2, "\(lines)")
        }
    }

    @Test("purge --older-than accepts an age in every form, and no other time") func agesOnly() throws {
        for text in ["7d", "7 days ago", "-7d", "now-7d"] {
            #expect(try TimeExpression.parseAge(text) == .age(.seconds(604_800)))
        }
        for text in ["now", "today", "2021-07-22", "tuesday", "@0"] {
            let error = #expect(throws: ValidationError.self) { try TimeExpression.parseAge(text) }
            #expect(error?.message == "Write an age, such as 365d; --before takes a time.", "\(text)")
        }
        for text in ["6m", "6 m ago", "-1h6m"] {
            let error = #expect(throws: (any Error).self) { try PurgeCommand.parse(["--older-than", text]) }
            let message = error.map { PurgeCommand.message(for: $0) }
            #expect(message?.contains("Write min or mo") == true, "\(text)")
        }
    }

    @Test("\"today\" and \"yesterday\" refer to the chosen time zone, even on days when clocks change")
    func daysOfZone() async {
        // In a separate process, because the time zone applies to the whole process.
        await #expect(processExitsWith: .success) {
            let berlin = try #require(DisplayTimeZone.inFile("Europe/Berlin"))
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

    @Test("Times without an offset are in the zone of --tz, even on days when clocks change") func newYork() async {
        // In a separate process, because the time zone applies to the whole process.
        await #expect(processExitsWith: .success) {
            let zone = try #require(DisplayTimeZone.inFile("America/New_York"))
            // On March 14, 2021, a Sunday, clocks jump from 02:00 to 03:00; on November 7 they go back from 02:00.
            let now = try #require(Timestamp(iso8601: "2021-03-15T12:00Z"))
            for (text, expected) in [
                ("20210314T0130", "2021-03-14T06:30"), ("2021-03-14 02:30", "2021-03-14T07:00"),
                ("2021-03-13T24:00", "2021-03-14T05:00"), ("2021-03-14T24:00", "2021-03-15T04:00"),
                ("2021-03-14T01:59:60", "2021-03-14T07:00"), ("2021-03-14Z", "2021-03-14T00:00"),
                ("2021-03-14T02:30-05", "2021-03-14T07:30"), ("sunday", "2021-03-14T05:00"),
                ("sunday 03:00", "2021-03-14T07:00"), ("last saturday", "2021-03-13T05:00"),
                ("monday", "2021-03-08T05:00"), ("yesterday 24:00", "2021-03-15T04:00"), ("now-1d", "2021-03-14T12:00"),
                ("2021-11-07T01:30", "2021-11-07T05:30"), ("2021-11-07T01:30-0500", "2021-11-07T06:30"),
                ("1636264800", "2021-11-07T06:00"), ("20211107", "2021-11-07T04:00"),
            ] {
                let resolved = try TimeExpression.parse(text).resolve(now: now, zone: zone)
                #expect(resolved == Timestamp(iso8601: expected + "Z"), "\(text): \(resolved.iso8601)")
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
        "A duration is a number with a unit, or several, such as 10m, 1.5h or 1h30m",
        arguments: [
            ("10m", 600), ("1w", 604_800), ("1h30m", 5400), ("0s", 0), ("1.5h", 5400), ("1.5 Days", 129_600),
            ("2MIN", 120), ("0.25s", 0.25), ("1mo", 2_592_000),
        ])
    func durations(text: String, seconds: Double) throws {
        #expect(try Duration.parse(text) == .seconds(seconds))
    }

    @Test(
        "A duration without a unit, with a sign, a comma or the unit M is rejected in one sentence",
        arguments: ["", "90", "1.5", "-5m", "5m ago", "1,5h", "5M", "1h30", "5 minutes!", "10010y"])
    func invalidDurations(text: String) {
        let error = #expect(throws: ValidationError.self) { try Duration.parse(text) }
        #expect(error?.message.count(where: { $0 == "." }) ?? 0 <= 3 && error?.message.last == ".", "\(text)")
    }
}
