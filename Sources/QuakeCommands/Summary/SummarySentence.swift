import QuakeModel
import QuakeOutput

/// What a summary says in words that can be quoted.
struct SummarySentence {
    let summary: QuakeSummary
    let filter: QuakeFilter
    let zone: LocalTime

    /// What the center of the filter's circle is called.
    let center: String?
    /// The moment up to which quakes can be known: now, or where the data ends.
    let end: Timestamp

    /// `103 earthquakes of M 4.5 or more and 2 other events in Greece between 15 and 22 July 2021 (UTC). The largest
    /// earthquake was …`. Nil without quakes. What is no earthquake is never counted as one.
    var text: String? {
        guard let earliest = summary.earliest, let latest = summary.latest else { return nil }
        let earthquakes = summary.eventTypes["earthquake"] ?? 0
        let others = summary.count - earthquakes
        let counts =
            earthquakes == 0
            ? others.counted("event") + magnitudeWords + conditionWords
                + (filter.eventTypes.isEmpty ? ", \(others == 1 ? "not" : "none of them") an earthquake," : "")
            : earthquakes.counted("earthquake") + magnitudeWords
                + (others > 0 ? " and \(others.counted("other event"))" : "") + conditionWords
        let days = days(earliest, latest)
        let sentence = "\(counts) \(words(days))"
        let notable = earthquakes == 0 ? summary.largest : summary.largestEarthquake
        guard let largest = notable, largest.magnitude != nil else { return sentence + "." }
        let felt = earthquakes == 0 ? summary.mostFelt : summary.mostFeltEarthquake
        let isOne = summary.count == 1
        var words = words(largest, with: !isOne || days.first != days.last)
        if let felt, let reports = felt.feltReports {
            let count = Int(reports).counted("felt report")
            words +=
                felt.id == largest.id
                ? ", with \(count)" : "; the most widely felt was \(self.words(felt)), with \(count)"
        }
        if isOne { return "\(sentence): \(words)." }
        let subject = earthquakes == 0 ? "The largest" : earthquakes == 1 ? "The earthquake" : "The largest earthquake"
        return "\(sentence). \(subject) was \(words)."
    }

    /// ` in Greece (depth 70 km or more)`: every condition but magnitude and time.
    private var conditionWords: String {
        var others = filter
        (others.minimumMagnitude, others.maximumMagnitude, others.since, others.until) = (nil, nil, nil, nil)
        if others.eventTypes == ["earthquake"] { others.eventTypes = [] }
        var words = ""
        if let circle = others.circle, let center {
            words += " within \(PlainNumber.text(circle.radiusKilometers, decimals: 2)) km of \(center)"
            others.circle = nil
        }
        if !others.regions.isEmpty {
            words += " in \(others.regions.sorted().joined(separator: " or "))"
            others.regions = []
        }
        return words + (others == QuakeFilter() ? "" : " (\(others.headlines.joined(separator: ", ")))")
    }

    private var magnitudeWords: String {
        switch (filter.minimumMagnitude, filter.maximumMagnitude) {
        case (let least?, nil): " of M \(PlainNumber.text(least)) or more"
        case (nil, let most?): " of M \(PlainNumber.text(most)) or less"
        case (let least?, let most?): " of M \(PlainNumber.text(least)) to \(PlainNumber.text(most))"
        case (nil, nil): ""
        }
    }

    /// The first and the last day of the times that were asked for, as far as quakes can be known; where none were, of
    /// the quakes.
    private func days(_ earliest: Timestamp, _ latest: Timestamp) -> (first: CalendarDay, last: CalendarDay) {
        let until = min(filter.until ?? end, end) - .milliseconds(1)
        let last = filter.until == nil && filter.since == nil ? latest : max(latest, until)
        return (CalendarDay(filter.since ?? earliest, zone), CalendarDay(last, zone))
    }

    /// `between 15 and 22 July 2021 (UTC)`, or `on 22 July 2021 (UTC)`.
    private func words(_ days: (first: CalendarDay, last: CalendarDay)) -> String {
        let name = " (\(zone.nameInWords))"
        guard days.first != days.last else { return "on \(days.last.words)\(name)" }
        return "between \(days.first.words(before: days.last)) and \(days.last.words)\(name)"
    }

    /// The quake in words, with its day unless that is the only one. What is no earthquake says what it is.
    private func words(_ quake: QuakeSummary.Notable, with day: Bool = true) -> String {
        let kind = quake.eventType == "earthquake" ? "" : quake.eventType.map { " (\($0))" } ?? ""
        let place = quake.place.map { ", \($0)" } ?? ""
        let date = day ? ", on \(CalendarDay(quake.originTime, zone).words)" : ""
        return "M \(Quake.titleMagnitude(quake.magnitude))\(kind)\(place)\(date)"
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
