/// Adds to a past state the quakes that already had a published solution at that time but were not in the cache yet.
///
/// Networks publish the first versions of a solution within minutes of a quake, but the cache's first document lists
/// only the latest version. Values read from documents take precedence: a quake gets the values of its preferred
/// solution only if the state contains no change to the quake yet. Solutions published between two documents appear in
/// `show`, but not in the state.
enum EarlierSolutions {
    /// Adds to the overlay the quakes that the state at `moment` lacks but that had a published solution by then.
    static func add(to overlay: QuakeOverlay, at moment: Timestamp, in database: Database) throws {
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
        for key in keys where try database.isFirstChangeKept(ofKey: key) {
            guard let known = try present.first(key, read: { $0.quake(from: 0) }),
                let quake = try SolutionHistory(ofKey: key, in: database).until(moment).quake(withIDsOf: known)
            else { continue }
            try overlay.set(key, to: quake, in: database)
        }
    }
}
