import QuakeModel

/// Times that people type but that are not accepted, because they are ambiguous or in an unsupported form.
enum RefusedTime {
    /// Returns a sentence that says what to write instead of `text`, which must be in lowercase; nil for other text.
    /// Throws a usage error for a time of day that does not exist.
    static func advice(on text: String) throws -> String? {
        if let time = text.wholeMatch(of: /[0-9]{1,2}(?::[0-9]{2}){1,2}/)?.output {
            _ = try TimeOfDay.find(time)
            return "Write the day, too: \"today \(time)\" or \"yesterday \(time)\"."
        }
        if text.contains(/^(?:last|past|this|previous|current|next)\b/) {
            return "Write an age such as 7d, or a day or month such as 2026-11-02 or 2026-11."
        }
        if text.contains(/[0-9] ?[ap]\.?m\.?$/) {
            return "Write a time of day on the 24-hour clock, such as \"yesterday 22:00\"."
        }
        if text.contains(/:[0-9]{2} ?\[?[a-z][a-z_\/]+\]?$/) {
            return "Write the zone as an offset, such as 2026-01-31T08:30-05:00, or choose it with --tz."
        }
        if let ends = text.wholeMatch(of: /([0-9]{4}\S*?)(?: to |\.{2,3}|[\/,])([0-9]{4}\S*)/)?.output {
            return "Write the two ends of a range separately: \(ends.1.uppercased()) and \(ends.2.uppercased())."
        }
        return date(text)
    }

    /// Returns advice on a date in a form that countries read in different orders: `31/12/2025`, `12-31-2025`,
    /// `2025/12/31`.
    private static func date(_ text: String) -> String? {
        guard
            let match = text.wholeMatch(
                of: /([0-9]{1,4})([\/.-])([0-9]{1,2})\2([0-9]{1,4})(?:[t ,].*)?|[0-9]{1,2}\/[0-9]{1,4}/)?.output,
            match.1?.count != 4 || match.2 != "-"
        else { return nil }
        let first = match.1 ?? ""
        let middle = match.3 ?? ""
        let last = match.4 ?? ""
        let orders = first.count == 4 ? [[first, middle, last]] : [[last, first, middle], [last, middle, first]]
        let dates = Set(orders.map { $0.map { $0.count == 1 ? "0\($0)" : String($0) }.joined(separator: "-") })
            .filter { Timestamp(iso8601: $0) != nil }.sorted()
        switch dates.count {
        case 0: return "Write a date as year, month and day, such as 2025-12-31."
        case 1: return "Write the date as \(dates[0])."
        default: return "Write the date as \(dates[0]) or \(dates[1]), whichever you mean."
        }
    }
}
