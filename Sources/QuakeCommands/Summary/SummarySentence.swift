import QuakeModel

/// A summary in sentences that can be quoted.
struct SummarySentence {
    private let report: SummaryReport
    private var summary: QuakeSummary { report.summary }
    private var filter: QuakeFilter { report.filter }
    private var zone: DisplayTimeZone { report.zone }
    /// The names of the centers of the circles of the filter, which all have the same radius.
    private let center: String?

    init(_ report: SummaryReport, center: String?) {
        self.report = report
        self.center = center
    }

    /// `103 earthquakes of M 4.5 or more and 2 other events in the Greece region, July 15–22, 2021 (UTC). The largest
    /// earthquake was …`. Nil without quakes. Events of other types are not counted as earthquakes.
    var text: String? {
        guard let earliest = summary.earliest, let latest = summary.latest else { return nil }
        let earthquakes = summary.eventTypes["earthquake"] ?? 0
        let others = summary.count - earthquakes
        let counts =
            earthquakes == 0
            ? eventWords + magnitudeWords + conditionWords
                + (filter.eventTypes.isEmpty ? ", \(others == 1 ? "not" : "none of them") an earthquake," : "")
            : earthquakes.counted("earthquake") + magnitudeWords
                + (others > 0 ? " and \(others.counted("other event"))" : "") + conditionWords
        let period = SummaryPeriod(filter, report.missing, until: report.knownUntil, zone, earliest, latest)
        let hasComma = counts.hasSuffix(",") && period.words.hasPrefix(",")
        let sentence = (hasComma ? String(counts.dropLast()) : counts) + period.words
        let notable = earthquakes == 0 ? summary.largest : summary.largestEarthquake
        guard let largest = notable, largest.magnitude != nil else { return sentence + "." }
        let felt = earthquakes == 0 ? summary.mostFelt : summary.mostFeltEarthquake
        let isOne = summary.count == 1
        var words = words(largest, with: !isOne || !period.isOneDay)
        if let felt, let reports = felt.feltReports {
            let count = Int(reports).counted("felt report")
            words +=
                felt.id == largest.id
                ? ", with \(count)"
                : "; the one with the most felt reports (\(reports.grouped)) was \(self.words(felt))"
        }
        if isOne { return "\(sentence): \(words)." }
        let ties = report.largestCount - 1
        let subject =
            ties > 0
            ? "The largest\(earthquakes == 0 ? "" : " earthquake"), tied with \(ties.counted("other")),"
            : earthquakes == 1 ? "The earthquake" : "The largest\(earthquakes == 0 ? "" : " earthquake")"
        return "\(sentence). \(subject) was \(words)."
    }

    /// The number and kind of the events if none is an earthquake: `48 quarry blasts` if only quarry blasts were
    /// requested, otherwise `48 events`.
    private var eventWords: String { summary.count.counted(namedType ?? "event") }

    /// The type, if only one was requested and found and its name has a regular plural; otherwise nil.
    private var namedType: String? {
        guard filter.eventTypes.count == 1, summary.eventTypes.count == 1,
            let type = summary.eventTypes.keys.first ?? nil,
            ["blast", "explosion", "quake", "collapse", "event", "slide", "burst", "boom"].contains(
                where: type.hasSuffix)
        else { return nil }
        return type
    }

    /// All conditions but magnitude and time, as part of a sentence: ` in the Greece region (depth 70 km or more)`.
    private var conditionWords: String {
        var others = filter
        others.minimumMagnitude = nil
        others.maximumMagnitude = nil
        others.since = nil
        others.until = nil
        if others.eventTypes == ["earthquake"] || namedType != nil { others.eventTypes = [] }
        var words = ""
        if let circle = others.circles.first, let center {
            words += " within \(report.display.unit.lengthText(circle.radiusKilometers, decimals: 2)) of \(center)"
            others.circles = []
        }
        if !others.regions.isEmpty {
            // The place name determines the region, and may name a town across a border.
            words += " in the \(others.regions.sorted().joined(separator: " or ")) region"
            others.regions = []
        }
        if let least = others.minimumFeltReports {
            words += " with \(least.grouped) or more felt reports"
            others.minimumFeltReports = nil
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

    /// Describes the quake, with its type if it is not an earthquake. With `day`, adds the day.
    private func words(_ quake: QuakeSummary.Event, with day: Bool = true) -> String {
        let kind = [namedType, "earthquake"].contains(quake.eventType) ? "" : quake.eventType.map { " (\($0))" } ?? ""
        let place = quake.place.map { ", \($0)" } ?? ""
        let date = day ? ", on \(CalendarDay(quake.originTime, zone).words)" : ""
        return "M \(Quake.titleMagnitude(quake.magnitude))\(kind)\(place)\(date)"
    }
}
