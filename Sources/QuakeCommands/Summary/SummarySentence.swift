import QuakeModel
import QuakeOutput

/// What a summary says in words that can be quoted.
struct SummarySentence {
    let summary: QuakeSummary
    let filter: QuakeFilter
    let zone: LocalTime

    /// `103 earthquakes of M 4.5 or more and 2 other events between 15 and 22 July 2021 (UTC). The largest was …`. Nil
    /// without quakes. What is no earthquake is never counted as one.
    var text: String? {
        guard let earliest = summary.earliest, let latest = summary.latest else { return nil }
        let earthquakes = summary.eventTypes["earthquake"] ?? 0
        let others = summary.count - earthquakes
        let counts =
            earthquakes == 0
            ? others.counted("event") + magnitudeWords + ", none of them an earthquake,"
            : earthquakes.counted("earthquake") + magnitudeWords
                + (others > 0 ? " and \(others.counted("other event"))" : "")
        var sentences = ["\(counts) \(span(earliest, latest))"]
        if summary.count > 1, let largest = summary.largest, largest.magnitude != nil {
            var words = "The largest was \(words(largest))"
            if let felt = summary.mostFelt, let reports = felt.feltReports {
                let count = Int(reports).counted("felt report")
                words +=
                    felt.id == largest.id
                    ? ", with \(count)" : "; the most widely felt was \(self.words(felt)), with \(count)"
            }
            sentences.append(words)
        }
        return sentences.map { $0 + "." }.joined(separator: " ")
    }

    private var magnitudeWords: String {
        switch (filter.minimumMagnitude, filter.maximumMagnitude) {
        case (let least?, nil): " of M \(PlainNumber.text(least)) or more"
        case (nil, let most?): " of M \(PlainNumber.text(most)) or less"
        case (let least?, let most?): " of M \(PlainNumber.text(least)) to \(PlainNumber.text(most))"
        case (nil, nil): ""
        }
    }

    /// `between 15 and 22 July 2021 (UTC)`, or `on 22 July 2021 (UTC)`.
    private func span(_ earliest: Timestamp, _ latest: Timestamp) -> String {
        let (first, last) = (CalendarDay(earliest, zone), CalendarDay(latest, zone))
        let name = " (\(zone.name == "local" ? "local time" : zone.name))"
        guard first != last else { return "on \(last.words)\(name)" }
        return "between \(first.words(before: last)) and \(last.words)\(name)"
    }

    private func words(_ quake: QuakeSummary.Notable) -> String {
        let place = quake.place.map { ", \($0)" } ?? ""
        return "M \(Quake.titleMagnitude(quake.magnitude))\(place), on \(CalendarDay(quake.originTime, zone).words)"
    }
}

private struct CalendarDay: Equatable {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    let year: Int
    let month: String
    let day: Int

    init(_ moment: Timestamp, _ zone: LocalTime) {
        // A year may have a sign, so the day is read from the end.
        let parts = zone.shifted(moment).dayWords.split(separator: "-").map { Int($0) ?? 0 }
        let number = min(max(parts.dropLast().last ?? 1, 1), Self.months.count)
        (year, month, day) = (parts.dropLast(2).last ?? 0, Self.months[number - 1], parts.last ?? 0)
    }

    var words: String { "\(day) \(month) \(year)" }

    /// What the day does not share with a later one.
    func words(before other: CalendarDay) -> String {
        if year != other.year { return words }
        return month == other.month ? "\(day)" : "\(day) \(month)"
    }
}
