extension QuakeWriter {
    /// Returns all unconfirmed changes, ordered by quake.
    package func doubts() throws -> [Doubt] { try Doubt.all(in: database) }

    /// Records `doubt`, replacing any of the same kind for the same quake.
    package func note(_ doubt: Doubt) throws {
        try writing {
            try database.run(
                CheckedTable.doubts.insertion("OR REPLACE"),
                doubt.quakeKey, doubt.kind.rawValue, doubt.first.milliseconds, doubt.last.milliseconds,
                doubt.sightings, doubt.claimedUpdate?.milliseconds, doubt.claimedName,
                doubt.awaitsService ? 1 : 0)
        }
    }

    package func drop(_ kind: Doubt.Kind, of key: QuakeKey) throws {
        try writing {
            try database.run("DELETE FROM doubts WHERE quake = ? AND kind = ?", key, kind.rawValue)
        }
    }
}
