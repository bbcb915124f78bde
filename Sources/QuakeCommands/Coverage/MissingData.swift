import QuakeMirror

/// The data missing from the cache in a requested time range. Reported if the range extends more than two hours past
/// the end of the data or begins before the coverage.
struct MissingData {
    /// The parts of the range in which quakes may be missing, up to the end of the data, oldest first.
    let gaps: [Range<Timestamp>]
    /// The minimum magnitude for which the first of these parts is covered; nil if it is not.
    private let coveredMagnitude: Double?
    /// The end of the data; nil if the range ends before it or if the cache has no documents.
    let end: Timestamp?
    /// The time from the end of the data to the past state requested; nil for the present.
    private let age: Duration?
    /// The publication time of the first snapshot, if the requested state was published before it.
    private let firstSnapshot: Timestamp?
    private let lacksNewerQuakes: Bool

    /// The age up to which the data counts as current. Caches are usually refreshed every hour.
    private static let patience = Duration.seconds(2 * 3600)

    /// - Parameter moment: The time of the requested state, now or in the past. Nil for the state after a transaction,
    ///   where the data ends with the transaction, and if no time range was requested.
    init(in filter: QuakeFilter, of context: QuakeContext, at moment: Timestamp?) throws {
        let data = try context.endOfData()
        gaps = try context.gaps(in: filter, until: data ?? moment)
        coveredMagnitude = try gaps.first.flatMap { gap in
            try context.sources.coveredRanges().compactMap(\.conditions.minimumMagnitude).sorted().first { magnitude in
                var larger = filter
                larger.minimumMagnitude = max(magnitude, filter.minimumMagnitude ?? magnitude)
                return try !context.gaps(in: larger, until: data ?? moment).contains { $0.overlaps(gap) }
            }
        }
        firstSnapshot = try context.firstSnapshotAfterState()
        lacksNewerQuakes = try context.history.lacksNewerQuakes()
        guard let data, let last = moment.map({ min(filter.until ?? $0, $0) }) ?? filter.until,
            max(last, filter.since ?? last) - data > Self.patience
        else {
            end = nil
            age = nil
            return
        }
        let isState = context.isPast || context.history.pinnedPublication != nil
        end = data
        age = isState ? moment.map { $0 - data } : nil
    }

    /// `the data ends at 2021-07-20 14:23 UTC; later quakes are missing`; nil if nothing is missing.
    func words(_ zone: LocalTime, hasCoverage: Bool) -> String? {
        var parts: [String] = []
        if let firstSnapshot {
            parts.append(
                "the first snapshot was published at \(zone.minuteAndZone(firstSnapshot)); before then, only quakes "
                    + "whose details were fetched are known")
        } else if let gap = gaps.first {
            let start = zone.minuteWords(gap.lowerBound)
            let end = zone.minuteAndZone(gap.upperBound)
            let advice = hasCoverage ? " (`quakes status` shows the coverage, `quakes backfill` extends it)" : ""
            let times = gap.lowerBound == CatalogQuery.beginning ? "before \(end)" : "from \(start) to \(end)"
            let others = gaps.count > 1 ? " and in \((gaps.count - 1).counted("later time range"))" : ""
            let covered = coveredMagnitude.map { " (covered only for M \(PlainNumber.text($0)) and larger)" } ?? ""
            parts.append("data may be missing \(times)\(covered)\(others)\(advice)")
        }
        if lacksNewerQuakes { parts.append("this state was imported after a newer one, whose quakes may be missing") }
        if let end {
            // In a past state, only documents that changed something are known, not those read without a change.
            let rest = age.map {
                " (\($0.words) before the selected state), so later quakes and changes may be missing"
            }
            parts.append("the data ends at \(zone.minuteAndZone(end))" + (rest ?? ", so later quakes are missing"))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }
}

extension QuakeContext {
    /// Returns the publication time of the first snapshot if the pinned state was published before it; otherwise nil.
    func firstSnapshotAfterState() throws -> Timestamp? {
        guard let moment = history.pinnedPublication, let first = try history.firstSnapshot(), moment < first else {
            return nil
        }
        return first
    }

    /// Returns the parts of the range of `filter`, up to `end`, in which the cache may lack quakes, oldest first.
    ///
    /// The coverage of past states is not recorded. Whatever is missing today was missing in the past state, as was
    /// everything before that state's first quake.
    fileprivate func gaps(in filter: QuakeFilter, until end: Timestamp?) throws -> [Range<Timestamp>] {
        let beginning = CatalogQuery.beginning
        guard let since = filter.since.map({ max($0, beginning) }) ?? (filter.until == nil ? nil : beginning),
            let end = [filter.until, end].compactMap(\.self).min(), since < end
        else { return [] }
        var filter = filter
        filter.since = since
        filter.until = end
        var gaps = RangeSet(try sources.coverage().gaps(in: filter))
        if isPast, case let oldest = try min(firstOriginTime() ?? end, end), oldest - since > .seconds(60) {
            gaps.insert(contentsOf: since..<oldest)
        }
        return Array(gaps.ranges)
    }

    /// Returns the origin time of the first quake that `filter` accepts.
    func firstOriginTime(of filter: QuakeFilter = QuakeFilter()) throws -> Timestamp? {
        let oldestFirst = [QuakeSortKey(.time, order: .forward)]
        return try fetch(QuakeDescriptor(filter: filter, sortBy: oldestFirst, limit: 1)).first?.quake.originTime
    }

    /// Returns `filter` with a start, if it has no times and the cache has coverage: the first accepted quake or, if
    /// none is accepted, the start of the coverage.
    func withStart(_ filter: QuakeFilter) throws -> QuakeFilter {
        let starts = try sources.coveredRanges().map(\.originTimes.lowerBound)
        guard filter.since == nil, filter.until == nil, let start = starts.min() else { return filter }
        var filter = filter
        filter.since = try firstOriginTime(of: filter) ?? start
        return filter
    }
}

extension GlobalOptions {
    /// Reports on standard error, except with `--quiet`, which data the cache lacks in the time range of `filter`.
    ///
    /// - Returns: The report; nil if nothing is missing.
    @discardableResult
    func remarkMissing(
        in filter: QuakeFilter, of context: QuakeContext, at moment: Timestamp?, zone: LocalTime,
        _ environment: CommandEnvironment, unless said: String? = nil
    ) throws -> String? {
        guard moment != nil || filter.since != nil || filter.until != nil else { return nil }
        let missing = try MissingData(in: filter, of: context, at: moment)
        let words = missing.words(zone, hasCoverage: try !context.sources.coveredRanges().isEmpty)
        if words != said { remark(words, in: environment) }
        return words
    }
}
