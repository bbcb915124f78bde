extension QuakeWriter {
    /// Returns all unconfirmed changes, ordered by quake.
    package func unconfirmedChanges() throws -> [UnconfirmedChange] { try UnconfirmedChange.all(in: database) }

    /// Records an unconfirmed change, replacing any of the same kind for the same quake.
    package func recordUnconfirmed(_ change: UnconfirmedChange) throws {
        try writing {
            try database.run(
                CheckedTable.unconfirmedChanges.insertion("OR REPLACE"),
                change.quakeKey, change.kind.rawValue, change.first.milliseconds, change.last.milliseconds,
                change.snapshots, change.updated?.milliseconds, change.place, change.awaitsService ? 1 : 0)
        }
    }

    package func drop(_ kind: UnconfirmedChange.Kind, of key: QuakeKey) throws {
        try writing {
            try database.run("DELETE FROM unconfirmed_changes WHERE quake = ? AND kind = ?", key, kind.rawValue)
        }
    }
}
