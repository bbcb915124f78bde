import ArgumentParser
import QuakeStore
import Testing

@testable import QuakeCommands

struct HistoryPointArgumentTests {
    @Test(
        "A number is a transaction unless it has 4, 8, 10 or 13 digits; # always makes a transaction",
        arguments: [
            ("1", 1), ("123", 123), ("12345", 12345), ("1234567", 1_234_567), ("123456789", 123_456_789),
            ("#2021", 2021), ("#20210722", 20_210_722), ("#1626986384", 1_626_986_384),
        ])
    func transactions(text: String, number: Int64) throws {
        #expect(try HistoryPointArgument.parse(text) == .transaction(TransactionNumber(number)))
    }

    @Test(
        "A state may be a year, a date, seconds or milliseconds since 1970, or a word in capitals",
        arguments: [
            ("2021", "2021-01-01T00:00:00.000Z"), ("20210722", "2021-07-22T00:00:00.000Z"),
            ("1626986384", "2021-07-22T20:39:44.000Z"), ("1626986384040", "2021-07-22T20:39:44.040Z"),
            ("Published:20210722", "2021-07-22T00:00:00.000Z"), ("NOW", "2021-07-22T20:39:44.040Z"),
            ("Beginning", nil),
        ])
    func states(text: String, expected: String?) throws {
        let now = Timestamp(milliseconds: 1_626_986_384_040)
        let point = try HistoryPointArgument.parse(text)
        #expect(point.moment(now: now, zone: .utc)?.iso8601 == expected)
        if expected == nil { #expect(point == .token("beginning")) }
    }

    @Test(
        "An invalid state is rejected with the forms of a state, or with what is wrong with its time",
        arguments: [
            (
                "1234",
                "Write a time (2021-07-22, 7d, published:7d), token, transaction ('#12'), beginning or now."
            ),
            ("#", "Write a time (2021-07-22, 7d, published:7d), token, transaction ('#12'), beginning or now."),
            ("12345678", "There is no month 56; months are 01 to 12."),
            ("published:2021-02-30", "There is no February 30; February 2021 has 28 days."),
        ])
    func invalidStates(text: String, advice: String) {
        let error = #expect(throws: ValidationError.self) { try HistoryPointArgument.parse(text) }
        #expect(error?.message == advice)
    }
}
