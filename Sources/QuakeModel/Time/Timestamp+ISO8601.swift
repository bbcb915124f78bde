/// The fields of a moment in the proleptic Gregorian calendar, in UTC.
private struct CalendarFields: Equatable {
    /// The year; 0 is 1 BC.
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    /// 0 to 23.
    var hour: Int
    /// 0 to 59.
    var minute: Int
    /// 0 to 59; leap seconds are not counted.
    var second: Int
    /// 0 to 999.
    var millisecond: Int
}

extension Timestamp {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The calendar fields of this moment in UTC.
    ///
    /// Uses the civil-from-days algorithm (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"), which needs
    /// neither tables nor a calendar object.
    private var calendarFields: CalendarFields {
        let (days, time) = milliseconds.flooredDivision(by: Self.millisecondsPerDay)
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return CalendarFields(
            year: Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
            month: Int(month),
            day: Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
            hour: Int(time / 3_600_000),
            minute: Int(time / 60_000 % 60),
            second: Int(time / 1000 % 60),
            millisecond: Int(time % 1000))
    }

    /// Creates the moment with these fields in UTC; nil if a field is out of range (month 13, February 30).
    private init?(_ fields: CalendarFields) {
        let year = Int64(fields.month <= 2 ? fields.year - 1 : fields.year)
        let (era, yearOfEra) = year.flooredDivision(by: 400)
        let monthFromMarch = Int64(fields.month > 2 ? fields.month - 3 : fields.month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(fields.day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = Int64(fields.hour * 3600 + fields.minute * 60 + fields.second)
        self.init(milliseconds: days * Self.millisecondsPerDay + seconds * 1000 + Int64(fields.millisecond))
        guard calendarFields == fields else { return nil }
    }

    /// The moment in ISO 8601 format, in UTC with milliseconds: `2021-07-22T20:39:44.000Z`.
    public var iso8601: String { String(unsafeUninitializedCapacity: 32) { writeISO8601(into: $0) } }

    /// Writes ``iso8601`` to the start of `buffer` and returns the number of bytes. The buffer needs room for 32 bytes.
    package func writeISO8601(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let fields = calendarFields
        var position = 0
        func put(_ number: Int, digits: Int, then separator: Unicode.Scalar) {
            var rest = number
            for offset in stride(from: digits - 1, through: 0, by: -1) {
                buffer[position + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            buffer[position + digits] = UInt8(ascii: separator)
            position += digits + 1
        }
        if fields.year < 0 {
            buffer[0] = UInt8(ascii: "-")
            position = 1
        }
        put(abs(fields.year), digits: abs(fields.year) > 9999 ? 9 : 4, then: "-")
        put(fields.month, digits: 2, then: "-")
        put(fields.day, digits: 2, then: "T")
        put(fields.hour, digits: 2, then: ":")
        put(fields.minute, digits: 2, then: ":")
        put(fields.second, digits: 2, then: ".")
        put(fields.millisecond, digits: 3, then: "Z")
        return position
    }

    /// Parses `2021-07-22`, `2021-07-22T20:39`, `…:44` or `…:44.123`. A time may end with `Z` or `+hh:mm`; without a
    /// zone, it is in UTC. A space may replace the `T`. Returns nil for any other text.
    public init?(iso8601 text: some StringProtocol) {
        var text = String(text)
        guard let moment = text.withUTF8({ Timestamp(iso8601: UnsafeRawBufferPointer($0)[...]) }) else { return nil }
        self = moment
    }

    /// Parses UTF-8 bytes in the forms that the initializer for text accepts.
    package init?(iso8601 bytes: Slice<UnsafeRawBufferPointer>) {
        var text = ISO8601Text(bytes)
        guard let year = text.number(digits: 4), text.skip("-"), let month = text.number(digits: 2), text.skip("-"),
            let day = text.number(digits: 2)
        else { return nil }
        var fields = CalendarFields(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, millisecond: 0)
        var zoneMinutes = 0
        if text.skip("Tt ") {
            guard let hour = text.number(digits: 2), text.skip(":"), let minute = text.number(digits: 2) else {
                return nil
            }
            fields.hour = hour
            fields.minute = minute
            if text.skip(":") {
                guard let second = text.number(digits: 2) else { return nil }
                fields.second = second
                if text.skip(".,") {
                    guard let thousandths = text.thousandths() else { return nil }
                    fields.millisecond = thousandths
                }
            }
            if !text.skip("Zz"), !text.isAtEnd {
                let isWest = text.skip("-")
                guard isWest || text.skip("+"), let hours = text.number(digits: 2), text.skip(":"),
                    let minutes = text.number(digits: 2), hours < 24, minutes < 60
                else { return nil }
                zoneMinutes = (isWest ? -1 : 1) * (hours * 60 + minutes)
            }
        }
        guard text.isAtEnd, let local = Timestamp(fields) else { return nil }
        self.init(milliseconds: local.milliseconds - Int64(zoneMinutes) * 60_000)
    }
}

/// Text that is being parsed, and the current position in it.
private struct ISO8601Text {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { self.bytes = UnsafeRawBufferPointer(rebasing: bytes) }

    var isAtEnd: Bool { position == bytes.count }

    /// Consumes a number with exactly this many digits; nil if there is none.
    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + digits] {
            guard let digit = Self.digit(byte) else { return nil }
            number = number * 10 + digit
        }
        position += digits
        return number
    }

    /// Consumes the digits of a decimal fraction, and returns thousandths; digits after the third are ignored.
    mutating func thousandths() -> Int? {
        let start = position
        var thousandths = 0
        while position < bytes.count, let digit = Self.digit(bytes[position]) {
            if position < start + 3 { thousandths = thousandths * 10 + digit }
            position += 1
        }
        guard position > start else { return nil }
        for _ in min(position - start, 3)..<3 { thousandths *= 10 }
        return thousandths
    }

    /// Consumes one of the ASCII characters in `allowed`; returns false if there is none.
    mutating func skip(_ allowed: StaticString) -> Bool {
        guard position < bytes.count, allowed.withUTF8Buffer({ $0.contains(bytes[position]) }) else { return false }
        position += 1
        return true
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

extension Int64 {
    /// Returns the quotient rounded toward negative infinity, and the remainder, which is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
