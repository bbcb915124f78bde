extension StoreSources {
    /// Returns the requested and covered origin times, and the unresolved ids.
    package func coverage() throws -> Coverage { try Coverage(in: session.database()) }

    /// Returns the claims, earliest origin times first. They do not cover unresolved quakes.
    package func claims() throws -> [Claim] { try coverage().claims }

    /// Returns the unresolved ids to look up at the event service, sorted.
    package func questions() throws -> [OpenQuestion] { try OpenQuestion.all(in: session.database()) }

    /// Forgets, for the filter's times, all backfills whose conditions `filter` includes. Their quakes stay, but
    /// updates no longer keep them current.
    ///
    /// - Returns: The claims removed from the coverage.
    @discardableResult
    package func forgetClaims(_ filter: QuakeFilter = QuakeFilter()) throws -> [Claim] {
        let (first, last) = (filter.since ?? Timestamp.representable.lowerBound, filter.until ?? Coverage.forever)
        return try session.inTransaction(.writing) {
            let before = try coverage()
            try Coverage.change(in: session.database()) {
                $0.forget(filter.withoutTimes, in: first..<max(first, last))
            }
            return try before.subtracting(coverage()).claims
        }
    }
}
