extension SourceRecords {
    /// Returns the requested and covered origin times, and the unresolved ids.
    package func coverage() throws -> Coverage { try Coverage(in: session.database()) }

    /// Returns the covered ranges, earliest origin times first. They do not cover unresolved quakes.
    package func coveredRanges() throws -> [CoveredRange] { try coverage().coveredRanges }

    /// Returns the unresolved ids to look up at the event service, sorted.
    package func idsInQuestion() throws -> [IDInQuestion] { try IDInQuestion.all(in: session.database()) }

    /// Forgets, for the filter's times, all backfills whose conditions `filter` includes. Their quakes stay, but
    /// updates no longer keep them current.
    ///
    /// - Parameter onlyUncertainties: whether updates still keep the quakes current, without their uncertainties.
    /// - Returns: The covered ranges removed from the coverage.
    @discardableResult
    package func forgetCoverage(
        _ filter: QuakeFilter = QuakeFilter(), onlyUncertainties: Bool = false
    ) throws -> [CoveredRange] {
        let first = filter.since ?? Timestamp.representable.lowerBound
        let last = filter.until ?? Coverage.forever
        return try session.inTransaction(.writing) {
            let before = try coverage()
            try Coverage.change(in: session.database()) {
                $0.forget(filter.withoutTimes, in: first..<max(first, last), onlyUncertainties: onlyUncertainties)
            }
            return try before.subtracting(coverage()).coveredRanges
        }
    }
}
