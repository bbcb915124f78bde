extension SourceRecords {
    /// Returns the requested and covered origin times, and the ids in question.
    package func coverage() throws -> Coverage { try Coverage(in: session.database()) }

    /// Returns the covered ranges, earliest origin times first. They do not cover quakes whose ids are in question.
    package func coveredRanges() throws -> [CoveredRange] { try coverage().coveredRanges }

    /// Returns the ids about which the event service must still be asked, sorted.
    package func idsInQuestion() throws -> [IDInQuestion] { try IDInQuestion.all(in: session.database()) }

    /// Forgets, for the filter's times, all backfills whose conditions `filter` includes. The quakes stay, but updates
    /// no longer keep them current.
    ///
    /// - Parameter onlyUncertainties: whether to forget only uncertainties, so that updates still keep the other values
    ///   current.
    /// - Returns: the covered ranges removed from the coverage.
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
