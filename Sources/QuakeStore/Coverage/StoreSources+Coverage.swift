extension StoreSources {
    /// What was asked for, what is covered, and what is in question.
    package func coverage() throws -> Coverage { try Coverage(in: context.database()) }

    /// What the cache holds but for the quakes in question, the earliest origin times first.
    public func claims() throws -> [Claim] { try coverage().claims }

    /// The ids that the event service is to be asked about, sorted.
    public func questions() throws -> [OpenQuestion] { try coverage().questions }

    /// The origin time ranges whose quakes may be missing, oldest first: between two that complete documents have
    /// covered, and further back than the longest feed reaches at `now`. What came before the first snapshot is no gap.
    public func gaps(at now: Timestamp) throws -> [Range<Timestamp>] { try coverage().gaps(at: now) }

    /// The earliest range, from the start of `filter` to its end or that of the coverage, in which the cache may lack
    /// quakes that it accepts; nil if there is none, or if it has no start.
    package func firstGap(in filter: QuakeFilter) throws -> Range<Timestamp>? { try coverage().firstGap(in: filter) }

    /// The origin times, within those of `filter`, of which the cache has every quake that it accepts.
    package func held(_ filter: QuakeFilter) throws -> RangeSet<Timestamp> { try coverage().held(within: filter) }

    /// Removes what backfills asked for and brought: those whose conditions `filter` includes, in its times. No update
    /// keeps their quakes up to date any more; the quakes stay.
    ///
    /// - Returns: What was removed of what is covered.
    @discardableResult
    public func forgetClaims(_ filter: QuakeFilter = QuakeFilter()) throws -> [Claim] {
        let (first, last) = (filter.since ?? Timestamp.representable.lowerBound, filter.until ?? Coverage.forever)
        return try context.inTransaction(.writing) {
            let before = try coverage()
            try Coverage.change(in: context.database()) {
                $0.forget(filter.withoutTimes, in: first..<max(first, last))
            }
            return try before.subtracting(coverage()).claims
        }
    }
}

extension QuakeWriter {
    /// What was asked for, covered and in question, as this transaction sees it.
    package func coverage() throws -> Coverage { try Coverage(in: database) }

    /// Changes the coverage, after what was deleted until now has been removed from it.
    package func changeCoverage(_ change: (inout Coverage) -> Void) throws {
        try writing {
            try settleCoverageRemovals()
            try Coverage.change(in: database, change)
        }
    }

    /// Notes that the cache holds what `claim` says from this transaction on.
    package func add(_ claim: Claim) throws { try changeCoverage { $0.add(claim) } }

    /// Notes what a backfill asks for.
    package func ask(for conditions: QuakeFilter, in originTimes: Range<Timestamp>) throws {
        try changeCoverage { $0.ask(for: conditions, in: originTimes) }
    }

    /// Notes that the changes of these origin times that were published from `start` to `moment` are in the cache.
    package func advanceCoverage(
        _ originTimes: Range<Timestamp>, from start: Timestamp, to moment: Timestamp
    ) throws {
        try changeCoverage { $0.advance(originTimes, from: start, to: moment) }
    }

    /// Notes ids to ask about.
    package func note(_ questions: [OpenQuestion]) throws {
        if !questions.isEmpty { try changeCoverage { coverage in questions.forEach { coverage.note($0) } } }
    }

    /// Notes that the questions about `ids` are answered.
    package func dropQuestions(about ids: [String]) throws {
        if !ids.isEmpty { try changeCoverage { coverage in ids.forEach { coverage.drop($0) } } }
    }
}

// MARK: Gaps

extension Coverage {
    /// A document that deletes a quake leaves a hole of a millisecond.
    private static let noGap = Duration.seconds(60)
    /// Documents are asked for one after the other: no gap at the end of the coverage.
    private static let noTail = Duration.seconds(3600)

    /// See ``StoreSources/gaps(at:)``.
    package func gaps(at now: Timestamp) -> [Range<Timestamp>] {
        guard let first = times(where: { $0.source == .feed && $0.conditions == QuakeFilter() }).ranges.first else {
            return []
        }
        let covered = times { $0.conditions == QuakeFilter() }
        let end = max(covered.ranges.last?.upperBound ?? now, now - FeedName.Period.month.window)
        return RangeSet(first.lowerBound..<end).subtracting(covered).ranges.filter { $0.isLonger(than: Self.noGap) }
    }

    /// See ``StoreSources/held(_:)``.
    package func held(within filter: QuakeFilter) -> RangeSet<Timestamp> {
        let first = filter.since ?? Timestamp.representable.lowerBound
        let asked = RangeSet(first..<max(first, filter.until ?? Self.forever))
        let held = times { $0.conditions.includes(filter.withoutTimes) }
        return asked.subtracting(RangeSet(asked.subtracting(held).ranges.filter { $0.isLonger(than: Self.noGap) }))
    }

    /// See ``StoreSources/firstGap(in:)``.
    package func firstGap(in filter: QuakeFilter) -> Range<Timestamp>? {
        let ends = covered.compactMap(\.times.ranges.last?.upperBound)
        guard let since = filter.since, let end = filter.until ?? ends.max(), since < end else { return nil }
        let held = times { $0.conditions.includes(filter.withoutTimes) }
        let gaps = RangeSet(since..<end).subtracting(held).ranges
        return gaps.first { gap in
            gap.isLonger(than: gap.upperBound < end ? Self.noGap : gap.lowerBound > since ? Self.noTail : .zero)
        }
    }
}

extension Range<Timestamp> {
    fileprivate func isLonger(than length: Duration) -> Bool { upperBound - lowerBound > length }
}
