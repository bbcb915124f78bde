package import QuakeModel

/// A time zone as POSIX writes it in the variable TZ, such as `CET-1CEST,M3.5.0,M10.5.0/3`: the rule by which the
/// clocks change every year. Files of the time zone database end with one.
package struct PosixZone: Hashable, Sendable {
    /// The period outside summer time.
    package let standard: ZonePeriod
    private var summer: ZonePeriod?
    private var summerStart = Change(day: .weekday(month: 3, week: 2, day: 0))
    private var summerEnd = Change(day: .weekday(month: 11, week: 1, day: 0))

    /// A zone without summer time.
    package init(abbreviation: String, offset: Int) {
        standard = ZonePeriod(abbreviation: abbreviation, offset: offset)
    }

    /// Reads `text`; nil if it is something else.
    package init?(_ text: String) {
        var reader = Reader(rest: Substring(text))
        guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
        standard = ZonePeriod(abbreviation: name, offset: -west)
        guard !reader.rest.isEmpty else { return }
        guard let summerName = reader.name() else { return nil }
        var offset = standard.offset + 3600
        if let first = reader.rest.first, first != "," {
            guard let west = reader.time(hours: 24) else { return nil }
            offset = -west
        }
        summer = ZonePeriod(abbreviation: summerName, offset: offset)
        guard !reader.rest.isEmpty else { return }
        guard reader.skip(","), let start = reader.change(), reader.skip(","), let end = reader.change(),
            reader.rest.isEmpty
        else { return nil }
        (summerStart, summerEnd) = (start, end)
    }

    /// The period at `seconds` since 1970.
    package func period(at seconds: Int64) -> ZonePeriod {
        guard let summer else { return standard }
        let local = Timestamp(milliseconds: (seconds + Int64(standard.offset)) * 1000)
        let year = local.calendarFields.year
        guard let start = summerStart.localSeconds(in: year), let end = summerEnd.localSeconds(in: year) else {
            return standard
        }
        let (from, until) = (start - Int64(standard.offset), end - Int64(summer.offset))
        let isSummer = from < until ? (from..<until).contains(seconds) : !(until..<from).contains(seconds)
        return isSummer ? summer : standard
    }
}

extension PosixZone {
    /// A moment of each year at which the clocks change.
    fileprivate struct Change: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// 1 to 365; 29 February is not counted.
            case julian(Int)
            /// 0 to 365.
            case zeroBased(Int)
            /// The first (1) to last (5) such day of a month; 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after midnight, by the clocks before the change.
        var time = 7200

        /// The moment in `year`, in seconds since 1970 as if the clocks showed UTC.
        func localSeconds(in year: Int) -> Int64? {
            guard let start = Self.days(year, 1), let march = Self.days(year, 3) else { return nil }
            let isLeap = march - start == 60
            let dayNumber: Int64
            switch day {
            case .zeroBased(let day): dayNumber = start + Int64(day)
            case .julian(let day): dayNumber = start + Int64(day) - (isLeap && day > 59 ? 0 : 1)
            case .weekday(let month, let week, let day):
                let next = month == 12 ? Self.days(year + 1, 1) : Self.days(year, month + 1)
                guard let first = Self.days(year, month), let next else { return nil }
                // 1970-01-01 was a Thursday (4).
                let firstWeekday = ((first + 4) % 7 + 7) % 7
                var found = first + (Int64(day) - firstWeekday + 7) % 7 + 7 * Int64(week - 1)
                if found >= next { found -= 7 }
                dayNumber = found
            }
            return dayNumber * 86_400 + Int64(time)
        }

        /// Days from 1970-01-01 to the first of a month.
        private static func days(_ year: Int, _ month: Int) -> Int64? {
            // The first of January 1970, with another year and month.
            var fields = Timestamp(milliseconds: 0).calendarFields
            (fields.year, fields.month) = (year, month)
            return Timestamp(fields).map { $0.milliseconds / 86_400_000 }
        }
    }

    private struct Reader {
        var rest: Substring

        mutating func skip(_ character: Character) -> Bool {
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }

        /// An abbreviation of at least three letters, or any in `<` and `>`.
        mutating func name() -> String? {
            let isQuoted = skip("<")
            let name = rest.prefix { character in
                isQuoted ? character != ">" : character.isASCII && character.isLetter
            }
            rest.removeFirst(name.count)
            guard name.count >= 3, !isQuoted || skip(">") else { return nil }
            return String(name)
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(digits.count)
            return Int(digits).flatMap { range.contains($0) ? $0 : nil }
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(hours most: Int) -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(0...most) else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] where skip(":") {
                guard let part = number(0...59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        /// `M3.5.0/3`, `J60`, `59/2:30`.
        mutating func change() -> Change? {
            var change: Change
            if skip("M") {
                guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                    let day = number(0...6)
                else { return nil }
                change = Change(day: .weekday(month: month, week: week, day: day))
            } else if skip("J") {
                guard let day = number(1...365) else { return nil }
                change = Change(day: .julian(day))
            } else {
                guard let day = number(0...365) else { return nil }
                change = Change(day: .zeroBased(day))
            }
            if skip("/") {
                guard let time = time(hours: 167) else { return nil }
                change.time = time
            }
            return change
        }
    }
}
