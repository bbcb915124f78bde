public import QuakeModel

/// The stretches of origin time that complete snapshots have covered.
///
/// Need: a cache that was not refreshed for two months has missed quakes, because the next feed no longer reaches back
/// to them. Hazard: a snapshot that changes nothing leaves no transaction, so the history does not tell. Choice: the
/// union of the windows of all complete feeds, merged when one is applied: a handful of rows. A query fills what lies
/// behind the first of them, and starts nothing: a catalogue of the past is no time that was missed. Price: a quake
/// that was published later than the snapshot that covers it can still be missed.
enum Coverage {
    static func add(_ stretch: ClosedRange<Timestamp>, to database: Database) throws {
        let (since, until) = (stretch.lowerBound.milliseconds, stretch.upperBound.milliseconds)
        let merged = try database.first(
            "SELECT min(since), max(until) FROM coverage WHERE since <= ? AND until >= ?", until, since
        ) { (since: $0.integerOrNil(0), until: $0.integerOrNil(1)) }
        try database.run("DELETE FROM coverage WHERE since <= ? AND until >= ?", until, since)
        try database.run(
            CheckedTable.coverage.insertion(), min(since, merged?.since ?? since),
            max(until, merged?.until ?? until))
    }
}

extension QuakeWriter {
    /// Notes that a feed listed every quake of these origin times that was known when it was generated.
    package func cover(_ stretch: ClosedRange<Timestamp>) throws {
        try writing { try Coverage.add(stretch, to: database) }
    }

    /// Notes the same of a query, which counts only after the beginning of what feeds have covered.
    package func fill(_ stretch: ClosedRange<Timestamp>) throws {
        try writing {
            guard let first = try database.integer("SELECT min(since) FROM coverage"),
                first <= stretch.upperBound.milliseconds
            else { return }
            let start = max(stretch.lowerBound, Timestamp(milliseconds: first))
            try Coverage.add(start...stretch.upperBound, to: database)
        }
    }
}

extension QuakeContext {
    /// The stretches of origin time that complete snapshots have covered, oldest first, disjoint.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
    public func coverage() throws -> [ClosedRange<Timestamp>] {
        try database().all("SELECT since, until FROM coverage ORDER BY since") {
            Timestamp(milliseconds: $0.integer(0))...Timestamp(milliseconds: $0.integer(1))
        }
    }

    /// The stretches of origin time whose quakes may be missing, oldest first: those between two covered stretches, and
    /// what lies further back than the longest feed reaches at `now`. What came before the first snapshot is no gap.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
    public func gaps(at now: Timestamp) throws -> [Range<Timestamp>] {
        let covered = try coverage()
        var gaps = zip(covered, covered.dropFirst()).map { $0.upperBound..<$1.lowerBound }
        let reach = now - FeedName.Period.month.window
        if let last = covered.last, last.upperBound < reach { gaps.append(last.upperBound..<reach) }
        return gaps
    }
}
