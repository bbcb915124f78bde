import QuakeModel

extension Database {
    /// The quakes that list each of `ids`, which are in lower case, beside their preferred id. No index leads from a
    /// listed id to its quakes, so one walk looks for all of them.
    func quakes(listing ids: Set<String>, in source: QuakeSource = .present) throws -> [String: [QuakeKey]] {
        var found: [String: [QuakeKey]] = [:]
        for arm in source.arms {
            let walk = "SELECT key, ids FROM \(arm.table) WHERE ids <> ',' || net || code || ','"
            try forEach(walk + (arm.condition.map { " AND " + $0 } ?? "")) { row in
                for id in PublishedSet(canonical: row.text(1)).members {
                    let id = id.lowercased()
                    if ids.contains(id) { found[id, default: []].append(row.key(0)) }
                }
            }
        }
        return found
    }
}
