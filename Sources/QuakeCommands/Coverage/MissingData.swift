import QuakeMirror
import QuakeSystem

/// The data missing from the cache in a requested time range: gaps in the coverage, and everything after the end of the
/// data if the range extends more than two hours past it.
struct MissingData {
    /// The parts of the range, up to the end of the data, in which quakes may be missing, oldest first.
    let gaps: [Range<Timestamp>]
    /// The lowest minimum magnitude of any coverage that includes the first gap; nil if none does.
    private let coveredMagnitude: Double?
    /// The end of the data; nil if the range does not extend more than two hours past it, or if the cache has no
    /// documents.
    let end: Timestamp?
    /// The time of a past state, if `end` is not nil; nil for the present.
    private let stateTime: Timestamp?
    /// The publication time of the first snapshot if the requested state is from before it; otherwise nil.
    private let firstSnapshot: Timestamp?
    private let lacksNewerQuakes: Bool
    /// The options of the backfill that fetches the quakes missing from the gaps; nil in a past state, without gaps,
    /// and if the first gap has no start.
    private let backfillOptions: [String]?

    /// How old current data may be. Caches are usually refreshed every hour.
    private static let toleratedAge = Duration.seconds(2 * 3600)

    /// - Parameter moment: The time of the requested state, which may be now. Nil if no time range was requested, or
    ///   for the state after a transaction, where the data ends with that transaction.
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
        backfillOptions = gaps.first.flatMap { gap in
            guard gap.lowerBound > CatalogQuery.beginning, !context.isPast else { return nil }
            var missing = filter
            missing.since = gap.lowerBound
            return missing.backfillOptions
        }
        firstSnapshot = try context.firstSnapshotAfterState()
        lacksNewerQuakes = try context.history.lacksNewerQuakes()
        guard let data, let last = moment.map({ min(filter.until ?? $0, $0) }) ?? filter.until,
            max(last, filter.since ?? last) - data > Self.toleratedAge
        else {
            end = nil
            stateTime = nil
            return
        }
        let isState = context.isPast || context.history.pinnedPublication != nil
        end = data
        stateTime = isState ? moment : nil
    }

    /// A sentence such as `the data ends at 2021-07-20 14:23 UTC, so later quakes are missing.`; nil if nothing is
    /// missing.
    ///
    /// - Parameter backfill: The command for a backfill, to which options are added; nil to name none.
    func words(_ zone: DisplayTimeZone, backfill: String?) -> String? {
        var parts: [String] = []
        if let firstSnapshot {
            parts.append(
                "the first copy of a feed was published at \(zone.minuteAndZone(firstSnapshot)); before then, only "
                    + "quakes whose details were fetched are known")
        } else if let gap = gaps.first {
            let start = zone.minuteWords(gap.lowerBound)
            let end = zone.minuteAndZone(gap.upperBound)
            let times = gap.lowerBound == CatalogQuery.beginning ? "before \(end)" : "from \(start) to \(end)"
            let others = gaps.count > 1 ? " and in \((gaps.count - 1).counted("later time range"))" : ""
            let covered = coveredMagnitude.map { "covered only for M \(PlainNumber.text($0)) and larger" }
            let command = backfill.flatMap { start in
                backfillOptions.map { ([start] + $0.map(\.shellWord)).joined(separator: " ") }
            }
            let advice = command.map { "`\($0)` fetches it" }
            let notes = [covered, advice].compactMap(\.self).joined(separator: "; ")
            parts.append("data may be missing \(times)" + (notes.isEmpty ? "" : " (\(notes))") + others)
        }
        if lacksNewerQuakes {
            parts.append(
                "feeds were not imported in the order of their publication, so quakes published by the requested time "
                    + "may be missing")
        }
        if let end {
            // For a past state, only documents that changed a quake are known. A document read without a change may
            // extend the data.
            let rest = stateTime.map {
                " (\(($0 - end).words) before \(zone.minuteAndZone($0))), so later quakes and changes may be missing"
            }
            parts.append("the data ends at \(zone.minuteAndZone(end))" + (rest ?? ", so later quakes are missing"))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }
}

extension QuakeContext {
    /// Returns the publication time of the first snapshot if the context is pinned to an earlier publication time;
    /// otherwise nil.
    func firstSnapshotAfterState() throws -> Timestamp? {
        guard let moment = history.pinnedPublication, let first = try history.firstSnapshot(), moment < first else {
            return nil
        }
        return first
    }

    /// Returns the parts of the time range of `filter`, up to `end`, in which the cache may lack quakes, oldest first.
    ///
    /// The coverage of past states is not recorded. Gaps of the present coverage also apply to a past state, and the
    /// time before the first quake of the state counts as a gap.
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

    /// Returns the origin time of the first quake that `filter` accepts; nil if there is none.
    func firstOriginTime(of filter: QuakeFilter = QuakeFilter()) throws -> Timestamp? {
        let oldestFirst = [QuakeSortKey(.time, order: .forward)]
        return try fetch(QuakeDescriptor(filter: filter, sortBy: oldestFirst, limit: 1)).first?.quake.originTime
    }

    /// Returns `filter` with a start, if it has neither start nor end and the cache has coverage. The start is the
    /// origin time of the first accepted quake, otherwise the start of the coverage.
    func withStart(_ filter: QuakeFilter) throws -> QuakeFilter {
        let starts = try sources.coveredRanges().map(\.originTimes.lowerBound)
        guard filter.since == nil, filter.until == nil, let start = starts.min() else { return filter }
        var filter = filter
        filter.since = try firstOriginTime(of: filter) ?? start
        return filter
    }
}

extension GlobalOptions {
    /// Reports on standard error which data the cache lacks in the time range of `filter`, except with `--quiet` or if
    /// the report equals `said`.
    ///
    /// - Returns: The report; nil if nothing is missing.
    @discardableResult
    func remarkMissing(
        in filter: QuakeFilter, of context: QuakeContext, at moment: Timestamp?, zone: DisplayTimeZone,
        _ environment: CommandEnvironment, unless said: String? = nil
    ) throws -> String? {
        guard moment != nil || filter.since != nil || filter.until != nil else { return nil }
        let missing = try MissingData(in: filter, of: context, at: moment)
        let hasCoverage = try !context.sources.coveredRanges().isEmpty
        let backfill = SuggestedCommand(path: databasePath).line("backfill")
        let words = missing.words(zone, backfill: hasCoverage ? backfill : nil)
        if words != said { remark(words, in: environment) }
        return words
    }
}
