/// Lets states of the second clock begin with the first solution of a quake, before the cache knew it.
///
/// Sources publish versions from minutes after the quake on, but the first document of a cache lists only the last of
/// them. What documents said stays as it was read: a quake gets the values of its preferred solution only where the
/// state has no change of it yet. Solutions that were published between two documents are in `show`, but not in the
/// state.
extension QuakeContext {
    /// When the first solution was published; nil if there is none.
    func firstSolution() throws -> Timestamp? {
        try database().first("SELECT min(published) FROM main.solutions_v1") {
            $0.timestampOrNil(0)
        }.flatMap(\.self)
    }

    /// Adds the quakes to the overlay that the state at `moment` does not have yet, but their solutions have.
    func addEarlierSolutions(at moment: Timestamp, to database: Database) throws {
        let keys = try database.all(
            """
            SELECT DISTINCT o.quake FROM main.solutions_v1 o
            WHERE o.published <= ?1 AND EXISTS (SELECT 1 FROM \(PastOverlay.touched) WHERE key = o.quake)
                AND NOT EXISTS (SELECT 1 FROM \(PastOverlay.quakes) WHERE key = o.quake)
                AND NOT EXISTS (
                    SELECT 1 FROM main.changes c WHERE c.quake = o.quake AND c.txn IN (
                        SELECT number FROM (\(PublishedState.transactions)) WHERE published <= ?1))
            """, moment.milliseconds
        ) { $0.key(0) }
        let present = try database.prepare("SELECT \(QuakeColumns.list()) FROM main.quakes WHERE key = ?")
        for key in keys where try isFirstChangeKept(ofKey: key) {
            try present.bind(1, key)
            defer { present.reset() }
            guard try present.step(),
                let quake = try SolutionHistory(ofKey: key, in: database).until(moment)
                    .quake(knownAs: present.quake(from: 0))
            else { continue }
            try PastOverlay.overlay.set(key, to: quake, in: database)
        }
    }
}
