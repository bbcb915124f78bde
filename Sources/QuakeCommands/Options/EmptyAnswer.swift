import QuakeMirror

extension QuakeContext {
    /// Why the times of `filter` alone leave no quake: when the quakes of the cache were. Nil in other cases.
    func reasonForNothing(_ filter: QuakeFilter, zone: LocalTime) throws -> String? {
        let times = QuakeFilter(since: filter.since, until: filter.until)
        guard times != QuakeFilter(), try fetchCount(times) == 0, let newest = try originTime(.reverse),
            let oldest = try originTime(.forward)
        else { return nil }
        if let since = filter.since, newest < since { return "newest quake: \(zone.minuteAndZone(newest))" }
        if let until = filter.until, oldest >= until { return "oldest quake: \(zone.minuteAndZone(oldest))" }
        return "the cache has none in this time range"
    }

    /// Where the data of the cache ends, if that is before the end of the times of `filter` and so quakes may be missing;
    /// without such an end, if the cache is stale.
    func endOfData(before filter: QuakeFilter, now: Timestamp) throws -> Timestamp? {
        guard let end = try endOfData() else { return nil }
        if let until = filter.until, until < now { return until > end ? end : nil }
        let read = try sources.feeds().compactMap(\.lastSuccess).max() ?? end
        return now - max(read, end) > ProblemLimits().age ? end : nil
    }

    /// When the newest feed was generated, or the newest answer to a backfill; in a past state the newest document that
    /// changed a quake. Nil without any.
    func endOfData() throws -> Timestamp? {
        guard !isPast else { return try history.newestPublication() }
        let generated = try sources.feeds().filter { !$0.isService }.compactMap(\.generated)
        return try (generated + sources.claims().map { min($0.asOf, $0.originTimes.upperBound) }).max()
    }

    /// Where the data of the past state ends that the context is pinned to, if that is before the end of the times of
    /// `filter`.
    fileprivate func endOfState(before filter: QuakeFilter) throws -> Timestamp? {
        guard isPast, let until = filter.until, let end = try endOfData(), end < until else { return nil }
        return end
    }

    /// When the first snapshot was published, for a state that had been published before it.
    func firstSnapshotAfterState() throws -> Timestamp? {
        guard let moment = history.pinnedPublication, let first = try history.firstSnapshot(), moment < first else {
            return nil
        }
        return first
    }

    /// The earliest range of the times of `filter` in which the cache may lack quakes; none after the end of the data.
    ///
    /// What a past state covered is not kept: what is missing today was missing then, and so was what came before its
    /// first quake.
    func gap(in filter: QuakeFilter, now: Timestamp) throws -> Range<Timestamp>? {
        guard let since = filter.since.map({ max($0, CatalogQuery.beginning) }) else { return nil }
        let end = min(filter.until ?? now, try endOfData() ?? now)
        guard since < end else { return nil }
        if isPast {
            let oldest = try originTime(.forward) ?? end
            if oldest > since { return since..<min(oldest, end) }
        }
        var filter = filter
        (filter.since, filter.until) = (since, end)
        return try sources.firstGap(in: filter)
    }

    /// The origin time of the quake that is first in `order`.
    func originTime(_ order: QuakeSortKey.Order) throws -> Timestamp? {
        var first: Timestamp?
        let descriptor = QuakeDescriptor(sortedBy: [QuakeSortKey(.time, order: order)], limit: 1)
        try forEachRow(descriptor, fields: [.time]) { row in
            if case .integer(let milliseconds) = row.field(at: 0) { first = Timestamp(milliseconds: milliseconds) }
        }
        return first
    }
}

extension GlobalOptions {
    /// Says on standard error, unless `--quiet` says no, why the times of `filter` leave no quake of `context`, or that its
    /// data ends before they do.
    func explain(
        _ count: Int, of filter: QuakeFilter, in context: QuakeContext, _ past: PastOption? = nil, zone: LocalTime,
        _ environment: CommandEnvironment
    ) throws {
        if count == 0, let reason = try context.reasonForNothing(filter, zone: zone) {
            return remark("no quakes match; \(reason)", in: environment)
        }
        guard past?.point == nil, let end = try context.endOfData(before: filter, now: environment.now()) else {
            return
        }
        remark("the data ends at \(zone.minuteAndZone(end)); later quakes are missing.", in: environment)
    }

    /// Says likewise what an answer about the times of `filter` may lack, now or in the state that `context` is pinned to.
    func explainCoverage(
        of filter: QuakeFilter, in context: QuakeContext, zone: LocalTime, _ environment: CommandEnvironment
    ) throws {
        if let end = try context.endOfState(before: filter) {
            remark(
                "the data of this state ends at \(zone.minuteAndZone(end)); later quakes may be missing.",
                in: environment)
        }
        if let first = try context.firstSnapshotAfterState() {
            return remark(
                "the first snapshot was published at \(zone.minuteAndZone(first)); before it, only quakes whose details "
                    + "were fetched are known.", in: environment)
        }
        guard let gap = try context.gap(in: filter, now: environment.now()) else { return }
        let (start, end) = (zone.minuteWords(gap.lowerBound), zone.minuteAndZone(gap.upperBound))
        let advice = try context.sources.claims().isEmpty ? "." : "; `quakes status` shows the coverage."
        remark("quakes from \(start) to \(end) may be missing\(advice)", in: environment)
    }

    /// Tells a person on standard error what the output has no place for, unless `--quiet` says no.
    func remark(_ words: String?, in environment: CommandEnvironment) {
        guard let words, !isQuiet else { return }
        environment.standardError.writeLine("quakes: \(words)")
    }
}
