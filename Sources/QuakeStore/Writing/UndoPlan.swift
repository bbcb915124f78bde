/// The quakes of a transaction that an undo restores, and those that it leaves as they are because something else has
/// changed them since. Quakes joined by a merge, a split or a moved id are restored together or not at all.
struct UndoPlan {
    private(set) var restored: [TouchedQuake] = []
    private(set) var left: [TouchedQuake] = []
    /// The ids of the quakes that have changed since, or whose ids other quakes now have.
    private(set) var obstacles: [String] = []
    private var groups = QuakeGroups()
    private var leftGroups: Set<QuakeKey> = []

    init(
        undoing range: Range<ChangeID>, movedIDs: [MovedID], writer: QuakeWriter, rebuilder: StateRebuilder
    ) throws {
        let touched = try TouchedQuake.all(in: range, writer.database)
        try join(touched, in: range, movedIDs, writer.database, rebuilder)
        for quake in touched {
            guard let obstacle = try obstacle(to: quake, writer, rebuilder) else { continue }
            obstacles.append(obstacle)
            leftGroups.insert(groups.group(of: quake.key))
        }
        for quake in touched {
            if leaves(quake.key) { left.append(quake) } else { restored.append(quake) }
        }
    }

    /// Whether the quake with `key` is left as it is, or joined with one that is.
    func leaves(_ key: QuakeKey) -> Bool { leftGroups.contains(groups.group(of: key)) }

    private mutating func join(
        _ touched: [TouchedQuake], in range: Range<ChangeID>, _ movedIDs: [MovedID], _ database: Database,
        _ rebuilder: StateRebuilder
    ) throws {
        // A quake that gained the former id of another must lose it before the other regains it.
        var holders: [String: QuakeKey] = [:]
        for quake in touched {
            for state in [quake.first.previous, quake.last] {
                guard let id = try rebuilder.state(of: quake.key, after: state)?.id.lowercased() else { continue }
                groups.join(quake.key, holders[id])
                holders[id] = quake.key
            }
        }
        let merges = try database.all(
            "SELECT quake, merged_into FROM changes WHERE id >= ? AND id < ? AND merged_into IS NOT NULL",
            range.lowerBound, range.upperBound
        ) { (quake: $0.key(0), survivor: $0.key(1)) }
        for merge in merges { groups.join(merge.quake, merge.survivor) }
        for moved in movedIDs {
            if let old = moved.old { groups.join(old, moved.new) }
        }
    }

    /// Returns the id of `quake` if it is no longer as the transaction left it, or its former id if another quake has
    /// it and does not lose it with the undo. Later changes that cancel out are ignored.
    private func obstacle(
        to quake: TouchedQuake, _ writer: QuakeWriter, _ rebuilder: StateRebuilder
    ) throws -> String? {
        let before = try rebuilder.state(of: quake.key, after: quake.first.previous)
        if quake.hasLaterChanges {
            let left = try rebuilder.state(of: quake.key, after: quake.last)
            let now = try writer.knownQuake(quake.key)?.stored.quake
            // Derived values, such as the title, are not compared, and alone are not restored (rule 12).
            let isUntouched = if let now, let left { now.differences(from: left).isEmpty } else { now == left }
            if !isUntouched { return now?.id ?? left?.id ?? before?.id ?? "quake \(quake.key)" }
        }
        guard let before else { return nil }
        let holder = try writer.database.integer(
            "SELECT key FROM quakes WHERE net = ? AND code = ? AND key <> ?", before.net, before.code, quake.key)
        guard let holder = holder.map(QuakeKey.init(_:)) else { return nil }
        return groups.group(of: holder) == groups.group(of: quake.key) ? nil : before.id
    }
}
