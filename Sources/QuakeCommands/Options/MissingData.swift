import QuakeMirror

/// What the cache lacks of the times that an answer is about: the one rule for the end and the beginning of the data.
///
/// Both are said whenever the times reach more than two hours past the end of the data, or begin before what is
/// covered.
struct MissingData {
    /// The earliest part of the times in which quakes may be missing; none after the end of the data.
    let gap: Range<Timestamp>?
    /// Where the data ends; nil if the times end before, or if the cache has no documents.
    let end: Timestamp?
    /// How long before the past state that the answer is about; nil for the present.
    private let age: Duration?
    /// When the first snapshot was published, for a state that had been published before it.
    private let firstSnapshot: Timestamp?

    /// Data of up to two hours ago is what a cache has that is refreshed every hour.
    private static let patience = Duration.seconds(2 * 3600)

    /// - Parameter moment: of the state that the answer is about: now, or the time of a past state. Nil for the state
    ///   after a transaction, which ends with its own data, and where no times were asked for.
    init(in filter: QuakeFilter, of context: QuakeContext, at moment: Timestamp?) throws {
        let data = try context.endOfData()
        gap = try context.gap(in: filter, until: data ?? moment)
        firstSnapshot = try context.firstSnapshotAfterState()
        guard let data, let last = moment.map({ min(filter.until ?? $0, $0) }) ?? filter.until,
            max(last, filter.since ?? last) - data > Self.patience
        else {
            (end, age) = (nil, nil)
            return
        }
        let isState = context.isPast || context.history.pinnedPublication != nil
        (end, age) = (data, isState ? moment.map { $0 - data } : nil)
    }

    /// `the data ends at 2021-07-20 14:23 UTC; later quakes are missing`; nil if nothing is missing.
    func words(_ zone: LocalTime, hasClaims: Bool) -> String? {
        var parts: [String] = []
        if let firstSnapshot {
            parts.append(
                "the first snapshot was published at \(zone.minuteAndZone(firstSnapshot)); before it, only quakes "
                    + "whose details were fetched are known")
        } else if let gap {
            let (start, end) = (zone.minuteWords(gap.lowerBound), zone.minuteAndZone(gap.upperBound))
            let advice = hasClaims ? " (`quakes status` shows the coverage)" : ""
            let times = gap.lowerBound == CatalogQuery.beginning ? "before \(end)" : "from \(start) to \(end)"
            parts.append("data may be missing \(times)\(advice)")
        }
        if let end {
            // What a document changed is known of a past state, and not what was read without a change.
            let rest = age.map { " (\($0.words) before this state); later quakes may be missing" }
            parts.append("the data ends at \(zone.minuteAndZone(end))" + (rest ?? "; later quakes are missing"))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }
}

extension QuakeContext {
    /// Where the coverage ends, or, without coverage, when the newest feed was generated; in a past state, when the
    /// newest document was published that changed a quake. Nil without any of these.
    func endOfData() throws -> Timestamp? {
        guard !isPast else { return try history.newestPublication() }
        return try sources.claims().map(\.originTimes.upperBound).max()
            ?? sources.feeds().filter { FeedName($0.name) != nil }.compactMap(\.generated).max()
    }

    /// When the first snapshot was published, for a state that had been published before it.
    func firstSnapshotAfterState() throws -> Timestamp? {
        guard let moment = history.pinnedPublication, let first = try history.firstSnapshot(), moment < first else {
            return nil
        }
        return first
    }

    /// The earliest range of the times of `filter`, up to `end`, in which the cache may lack quakes.
    ///
    /// What a past state covered is not kept: what is missing today was missing then, and so was what came before its
    /// first quake.
    fileprivate func gap(in filter: QuakeFilter, until end: Timestamp?) throws -> Range<Timestamp>? {
        let beginning = CatalogQuery.beginning
        guard let since = filter.since.map({ max($0, beginning) }) ?? (filter.until == nil ? nil : beginning),
            let end = [filter.until, end].compactMap(\.self).min(), since < end
        else { return nil }
        if isPast {
            let oldest = try firstOriginTime() ?? end
            if oldest - since > .seconds(60) { return since..<min(oldest, end) }
        }
        var filter = filter
        (filter.since, filter.until) = (since, end)
        return try sources.firstGap(in: filter)
    }

    /// The origin time of its first quake.
    func firstOriginTime() throws -> Timestamp? {
        var first: Timestamp?
        let descriptor = QuakeDescriptor(sortedBy: [QuakeSortKey(.time, order: .forward)], limit: 1)
        try forEachRow(descriptor, fields: [.time]) { row in
            if case .integer(let milliseconds) = row.field(at: 0) { first = Timestamp(milliseconds: milliseconds) }
        }
        return first
    }
}

extension GlobalOptions {
    /// Says on standard error, unless `--quiet` says no, what the cache lacks of the times of `filter`.
    ///
    /// - Returns: what it said.
    @discardableResult
    func remarkMissing(
        in filter: QuakeFilter, of context: QuakeContext, at moment: Timestamp?, zone: LocalTime,
        _ environment: CommandEnvironment, unless said: String? = nil
    ) throws -> String? {
        guard moment != nil || filter.since != nil || filter.until != nil else { return nil }
        let missing = try MissingData(in: filter, of: context, at: moment)
        let words = missing.words(zone, hasClaims: try !context.sources.claims().isEmpty)
        if words != said { remark(words, in: environment) }
        return words
    }

    /// Tells a person on standard error what the output has no place for, unless `--quiet` says no.
    func remark(_ words: String?, in environment: CommandEnvironment) {
        guard let words, !isQuiet else { return }
        environment.standardError.writeLine("quakes: \(words)")
    }
}
