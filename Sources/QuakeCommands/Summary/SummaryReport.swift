import QuakeFormats
import QuakeStore

struct SummaryReport {
    let filter: QuakeFilter
    /// The zone of local times and the unit of lengths.
    let display: DisplayStyle
    let summary: QuakeSummary
    let revisions: RevisionSummary
    /// The counts by magnitude for the filter without its minimum magnitude, to find the magnitude of completeness.
    private let magnitudesForSlope: MagnitudeCounts
    /// The unit of the spans of local time.
    private let unit: OriginTimeCounts.Unit
    /// The number of quakes in each span of local time. A span is incomplete if the coverage or the requested times do
    /// not include all of it.
    private let spans: [(name: String, count: Int, isIncomplete: Bool)]
    /// The number of earthquakes that are as large as the largest; without earthquakes, the number of events as large
    /// as the largest.
    let largestCount: Int
    /// The last transaction purged from the history; zero if none was.
    private let purgedThrough: TransactionNumber
    /// The data missing from the cache in the requested time range.
    let missing: MissingData
    /// The end of the data; nil if the cache has read no document.
    let dataEnds: Timestamp?
    /// The time up to which quakes can be known: the end of the data, or the time of a past state if that is earlier.
    let knownUntil: Timestamp

    var zone: DisplayTimeZone { display.timeZone }

    init(_ filter: QuakeFilter, in context: QuakeContext, _ display: DisplayStyle, at moment: Timestamp?) throws {
        self.filter = filter
        self.display = display
        summary = try context.summary(of: filter)
        revisions = try context.history.revisions(of: filter)
        var all = filter
        all.minimumMagnitude = nil
        var magnitudes = MagnitudeCounts()
        try context.forEachRow(QuakeDescriptor(filter: all), fields: [.mag]) { magnitudes.add($0.field(at: 0).number) }
        magnitudesForSlope = magnitudes
        var times = OriginTimeCounts()
        try context.forEachRow(QuakeDescriptor(filter: filter), fields: [.time]) { row in
            times.add(display.timeZone.shifted(Timestamp(milliseconds: Int64(row.field(at: 0).number ?? 0))))
        }
        var equals = filter
        let largest = summary.largestEarthquake ?? summary.largest
        equals.minimumMagnitude = largest?.magnitude
        equals.maximumMagnitude = largest?.magnitude
        if summary.largestEarthquake != nil { equals.eventTypes = ["earthquake"] }
        largestCount = try largest?.magnitude == nil ? 0 : context.fetchCount(equals)
        purgedThrough = try context.history.floor().number
        missing = try MissingData(in: filter, of: context, at: moment)
        dataEnds = try context.endOfData()
        let end = [dataEnds ?? summary.latest, moment].compactMap(\.self).min() ?? Timestamp(milliseconds: 0)
        let unit = times.unit
        var incomplete: Set<Timestamp> = []
        if let first = summary.earliest, let last = summary.latest, !context.isPast {
            let period = first..<last + .milliseconds(1)
            for (start, isComplete) in try context.spans(by: unit, of: filter, in: period, display.timeZone)
            where !isComplete { incomplete.insert(start) }
        }
        spans = times.spans.map {
            (name: unit.label(of: $0.start), count: $0.count, isIncomplete: incomplete.contains($0.start))
        }
        self.knownUntil = end
        self.unit = unit
    }

    /// A number of quakes or changes, and the name of what they have in common, such as a type; nil for quakes without
    /// a value.
    struct Count {
        let name: String?
        let count: Int

        var record: Record { ["name": name, "count": count] }
    }

    /// The maximum number of counts per group in human-readable output.
    private static let maximumNames = 20

    /// The number of quakes for each whole magnitude, largest magnitude first. Quakes without a magnitude (nil) come
    /// last.
    var magnitudes: [(magnitude: Int?, count: Int)] {
        summary.magnitudes.classes.map { (magnitude: $0, count: $1) }
            .sorted { $0.magnitude ?? .min > $1.magnitude ?? .min }
    }

    /// Returns the counts with their names, largest count first.
    static func sorted(_ counts: [String?: Int]) -> [Count] {
        counts.map { Count(name: $0, count: $1) }
            .sorted { $0.count == $1.count ? $0.name ?? "" < $1.name ?? "" : $0.count > $1.count }
    }

    /// The numbers of all updates and deletions, by reason.
    var reasons: [Count] {
        ChangeReason.allCases.compactMap { reason in
            revisions.reasons[reason].map { Count(name: reason.rawValue, count: $0) }
        }
    }

    var groups: [(name: String, label: String, counts: [Count])] {
        [
            ("types", "types", Self.sorted(summary.eventTypes)),
            ("regions", "regions", Self.sorted(summary.regions)),
            ("networks", "networks", Self.sorted(summary.networks)),
            ("magnitude_types", "mag types", Self.sorted(summary.magnitudeTypes)),
            ("statuses", "status", Self.sorted(summary.statuses)),
        ]
    }

    func writeText(_ lines: WrappedLines, _ sentence: String?, usesUnicode: Bool) {
        func line(_ label: String, _ text: String) { lines.append(label: label.padding(to: 12), text) }
        guard let earliest = summary.earliest, let latest = summary.latest else {
            lines.append("No quakes match." + dataWords)
            return writeRevisions(line)
        }
        if let sentence { lines.append(sentence + dataWords) }
        let first = zone.minuteWords(earliest)
        let last = zone.minuteWords(latest)
        lines.append(
            "\(summary.count.counted("event")), \(first == last ? first : "\(first) to \(last)") \(zone.nameInWords)")
        if let largest = summary.largest { line("largest", largest.words(display)) }
        if let deepest = summary.deepest { line("deepest", deepest.words(display)) }
        if let felt = summary.mostFelt {
            line("most felt", "\((felt.feltReports ?? 0).counted("report")): \(felt.words(display))")
        }
        let most = magnitudes.map(\.count).max() ?? 1
        for (index, (magnitude, count)) in magnitudes.enumerated() {
            let name = magnitude.map { "\($0) to <\($0 + 1)" } ?? "none"
            line(index == 0 ? "magnitude" : "", Self.bar(name, count, of: most, usesUnicode))
        }
        for (_, label, counts) in groups where !counts.isEmpty {
            let most = counts.prefix(Self.maximumNames).map { "\($0.name ?? "none") \($0.count.grouped)" }
            let others = counts.count - most.count
            line(label, (most + (others > 0 ? ["and \(others.grouped) more"] : [])).joined(separator: ", "))
        }
        writeGutenbergRichter(line)
        writeRevisions(line)
        let highest = spans.map(\.count).max() ?? 1
        for (index, span) in spans.enumerated() {
            let bar = Self.bar(span.name, span.count, of: highest, usesUnicode)
            line(index == 0 ? unit.rawValue : "", bar + (span.isIncomplete ? " (incomplete)" : ""))
        }
    }

    private var dataWords: String { dataEnds.map { " (Data through \(zone.minuteAndZone($0)).)" } ?? "" }

    private func writeGutenbergRichter(_ line: (String, String) -> Void) {
        guard let relation = relation.found else { return line("b-value", "none: \(relation.problem ?? "")") }
        let isMixed = Set(summary.magnitudeTypes.keys.map { $0?.lowercased() }).count > 1
        let isPoor = relation.fit < GutenbergRichter.minimumFit
        let reservations =
            (isPoor
                ? [" (b and its error are unreliable below \(PlainNumber.text(GutenbergRichter.minimumFit))%)"] : [])
            + (isMixed ? ["; magnitude types are mixed"] : [])
            + (summary.eventTypes.keys.contains { $0 != "earthquake" } ? ["; not only earthquakes (see --type)"] : [])
        let slope = [relation.b, relation.standardError].map { number in
            relation.standardError < 0.005 ? PlainNumber.text(number, decimals: 3) : PlainNumber.hundredths(number)
        }
        let from = "\(relation.count.counted("quake")) \(GutenbergRichter.words(from: relation.completeness))"
        let fit = "goodness of fit \(PlainNumber.text(relation.fit.rounded(.down)))%"
        line("b-value", "\(slope.joined(separator: " ± ")), from \(from), \(fit)\(reservations.joined())")
    }

    /// The Gutenberg-Richter relation, or the reason there is none.
    private var relation: (found: GutenbergRichter?, problem: String?) {
        // The estimate requires that no quake above the magnitude of completeness is left out.
        guard !filter.favorsLargeQuakes else {
            return (nil, "a filter other than --min-mag selects by size, which would bias the value")
        }
        do {
            return (try magnitudesForSlope.gutenbergRichter(from: filter.minimumMagnitude), nil)
        } catch { return (nil, error.words) }
    }

    private func writeRevisions(_ line: (String, String) -> Void) {
        let reasons = reasons
        line(
            "history",
            reasons.isEmpty
                ? "no revisions or deletions"
                    + (purgedThrough > .zero ? " since transaction \(purgedThrough)" : "")
                : reasons.map(\.count).reduce(0, +).counted("change") + " to recorded quakes: "
                    + reasons.map { "\($0.count.grouped) \($0.name ?? "")" }.joined(separator: ", "))
        guard let mean = revisions.meanMagnitudeChange, let largest = revisions.largestMagnitudeChange else { return }
        let rounded = [largest.before, largest.after].map { PlainNumber.text($0, decimals: 2) }
        let sides = rounded[0] == rounded[1] ? PlainNumber.pair(largest.before, largest.after) : rounded
        let most = "\(sides.joined(separator: " → ")) (\(largest.id))"
        let count = revisions.magnitudeChangeCount
        let average = mean == 0 ? "less than 0.01" : PlainNumber.text(mean, decimals: 2)
        line(
            "",
            count == 1
                ? "1 magnitude revision: \(most)"
                : "\(count.grouped) magnitude revisions, by \(average) on average; largest: \(most)")
    }

    /// Returns a line with a name, a number, and a bar whose length shows the number relative to `most`.
    private static func bar(_ name: String, _ count: Int, of most: Int, _ usesUnicode: Bool) -> String {
        let length = count == 0 ? 0 : max(1, Int((Double(count) / Double(max(1, most)) * 24).rounded()))
        let number = String(repeating: " ", count: max(0, 9 - count.grouped.count)) + count.grouped
        let bar = String(repeating: usesUnicode ? "█" : "#", count: length)
        return name.padding(to: 8) + number + (bar.isEmpty ? "" : "  " + bar)
    }

    func record(_ sentence: String?) -> Record {
        let (found, problem) = relation
        return [
            "sentence": sentence, "data_ends": dataEnds, "count": summary.count,
            "earliest": summary.earliest, "latest": summary.latest, "largest": summary.largest?.record,
            "deepest": summary.deepest?.record, "most_felt": summary.mostFelt?.record,
            "magnitudes": magnitudes.map { ["magnitude": $0.magnitude, "count": $0.count] as Record },
        ] + Record(groups.map { ($0.name, $0.counts.map(\.record)) }) + [
            "time_unit": summary.times.unit.rawValue,
            "times": summary.times.spans.map { ["start": $0.start, "count": $0.count] as Record },
            "gutenberg_richter": [
                "completeness": found?.completeness, "quakes": found?.count, "b": found?.b,
                "b_error": found?.standardError, "fit": found?.fit, "problem": problem,
            ] as Record,
            "history": [
                "reasons": reasons.map(\.record), "magnitude_revisions": revisions.magnitudeChangeCount,
                "mean_magnitude_revision": revisions.meanMagnitudeChange,
                "largest_magnitude_revision": revisions.largestMagnitudeChange.map {
                    ["id": $0.id, "before": $0.before, "after": $0.after] as Record
                },
            ] as Record,
        ]
    }

    /// Writes a CSV row for each number, with its group, name and value.
    func writeCSV(_ writer: ByteWriter, _ style: OutputStyle) {
        let rows = DelimitedRows(writer, columns: ["group", "name", "value"], style)
        func line(_ group: String, _ name: String?, _ number: String) {
            rows.append([["group": group, "name": name, "value": number]])
        }
        line("quakes", nil, "\(summary.count)")
        for (magnitude, count) in magnitudes { line("magnitudes", magnitude.map { "\($0)" }, "\(count)") }
        for (name, _, counts) in groups { counts.forEach { line(name, $0.name, "\($0.count)") } }
        let unit = summary.times.unit.rawValue
        for span in summary.times.spans { line(unit, span.start.iso8601, "\(span.count)") }
        if let relation = relation.found {
            line("gutenberg_richter", "completeness", "\(relation.completeness)")
            line("gutenberg_richter", "quakes", "\(relation.count)")
            line("gutenberg_richter", "b", "\(relation.b)")
            line("gutenberg_richter", "b_error", "\(relation.standardError)")
            line("gutenberg_richter", "fit", "\(relation.fit)")
        }
        for reason in reasons { line("history", reason.name, "\(reason.count)") }
        line("history", "magnitude_revisions", "\(revisions.magnitudeChangeCount)")
        if let mean = revisions.meanMagnitudeChange { line("history", "mean_magnitude_revision", "\(mean)") }
    }
}

extension QuakeSummary.Event {
    /// `M 6.2, 83 km SE of Puerto Almendra, Chile, 44.2 km deep, 2026-03-14 07:33 UTC, us7000zzay`.
    fileprivate func words(_ display: DisplayStyle) -> String {
        let depth = depthKilometers.map { ", \(display.unit.depth($0))" } ?? ""
        let what = Quake.kind(ofType: eventType).map { Quake.place(place, ofKind: $0) } ?? place
        return "M \(Quake.titleMagnitude(magnitude))\(what.map { ", " + $0 } ?? "")\(depth), "
            + "\(display.timeZone.minuteAndZone(originTime)), \(id)"
    }

    fileprivate var record: Record {
        [
            "id": id, "time": originTime, "mag": magnitude, "depth": depthKilometers, "felt": feltReports,
            "place": place, "type": eventType,
        ]
    }
}
