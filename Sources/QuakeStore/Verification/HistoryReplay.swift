import QuakeModel

/// Checks that the current values are those that the history leads to, as far as it reaches.
///
/// Each quake's changes are rewound, newest first, from the present row or a tombstone; before an update is rewound,
/// the values it keeps as `after` must be those of the state. Going forward again then gives the same states. A value
/// that never changed since it was inserted has no second copy to compare with.
struct HistoryReplay {
    private let database: Database
    private let log: FindingLog
    private let newestChange: Statement
    private let present: Statement
    private let departed: Statement

    init(database: Database, log: FindingLog) throws {
        (self.database, self.log) = (database, log)
        newestChange = try database.prepare("SELECT last_change FROM quakes WHERE key = ?")
        present = try database.prepare("SELECT \(QuakeColumns.list()) FROM quakes WHERE key = ?")
        departed = try database.prepare("SELECT reason, merged_into FROM departed WHERE quake = ?")
    }

    /// The state of one quake after the changes that were not rewound yet.
    private struct Place {
        var key: Int64
        /// Whether the quake is in the cache there.
        var exists = false
        /// Its values; nil if it does not exist, or if its newest change inserted it, which keeps nothing to compare.
        var state: Quake?
        /// Whether the oldest change rewound so far made the quake.
        var begins = false
        /// Whether the state is unknown, because of damage that was reported; nothing older can be checked.
        var isLost = false
    }

    func run() throws {
        log.count(\.quakes, Int(try database.integer("SELECT count(*) FROM quakes") ?? 0))
        let hasWholeHistory = try database.integer("SELECT floor FROM store") == 0
        let walk = try database.prepare(
            """
            SELECT id, quake, kind, before, after, reason, merged_into FROM changes INDEXED BY changes_by_quake
            ORDER BY quake DESC, id DESC
            """)
        var place: Place?
        while try walk.step() {
            log.count(\.changes)
            let key = walk.integer(1)
            if place?.key != key {
                end(place, hasWholeHistory)
                place = try start(walk, key)
            }
            if var current = place, !current.isLost {
                current.isLost = !rewind(walk, &current)
                place = current
            }
        }
        end(place, hasWholeHistory)
        try checkRowsWithoutChange()
    }

    private func end(_ place: Place?, _ hasWholeHistory: Bool) {
        guard let place, hasWholeHistory, !place.begins, !place.isLost else { return }
        log.add(.values, "the history of quake \(place.key) does not begin with its insertion")
    }

    /// The place after the newest change of a quake: its present row, or none.
    private func start(_ newest: Statement, _ key: Int64) throws -> Place {
        try newestChange.bind(1, key)
        defer { newestChange.reset() }
        let exists = try newestChange.step()
        if newest.integer(2) == ChangeKind.delete.code {
            if exists { log.add(.values, "quake \(key) exists although its last change deleted it") }
            try checkDeparted(newest, key)
            return Place(key: key)
        }
        guard exists else {
            log.add(.values, "quake \(key) is missing although no change deleted it")
            return Place(key: key, isLost: true)
        }
        if newestChange.integer(0) != newest.integer(0) {
            log.add(
                .values,
                "quake \(key) names change \(newestChange.integer(0)) as its last, which is \(newest.integer(0))")
        }
        guard newest.integer(2) != ChangeKind.insert.code else { return Place(key: key, exists: true) }
        try present.bind(1, key)
        defer { present.reset() }
        return Place(key: key, exists: true, state: try present.step() ? present.quake(from: 0) : nil)
    }

    private func checkDeparted(_ deletion: Statement, _ key: Int64) throws {
        try departed.bind(1, key)
        defer { departed.reset() }
        guard try departed.step() else { return log.add(.values, "the deletion of quake \(key) is not recorded") }
        if departed.text(0) != deletion.text(5) || departed.integerOrNil(1) != deletion.integerOrNil(6) {
            log.add(.values, "the recorded deletion of quake \(key) disagrees with the history")
        }
    }

    /// Rewinds the change under `row`. False when the state before it cannot be known.
    private func rewind(_ row: Statement, _ place: inout Place) -> Bool {
        let id = row.integer(0)
        place.begins = false
        switch (ChangeKind(code: row.integer(2)), place.exists) {
        case (.insert, true):
            (place.exists, place.state, place.begins) = (false, nil, true)
        case (.update, true):
            guard let state = place.state, let before = RecordedValues(json: row.text(3)),
                let after = RecordedValues(json: row.text(4))
            else {
                return fail("the values of change \(id) cannot be read")
            }
            if state.with(after) != state {
                let name = "change \(id) of quake \(place.key) (\(state.id))"
                log.add(.values, "\(name) does not produce the values that follow it")
            }
            if before.values.isEmpty || before.values.map(\.name) != after.values.map(\.name) || before == after {
                log.add(.values, "change \(id) of quake \(place.key) has fields before and after that differ")
            }
            place.state = state.with(before)
        case (.delete, false):
            guard let kept = RecordedValues(json: row.text(3)), !kept.tombstone.id.isEmpty else {
                return fail("the last values of the quake that change \(id) deleted cannot be read")
            }
            (place.exists, place.state) = (true, kept.tombstone)
        case (nil, _): return fail("change \(id) has an unknown kind")
        case (_, true): return fail("change \(id) deletes quake \(place.key), which exists after it")
        case (_, false): return fail("quake \(place.key) does not exist after change \(id)")
        }
        return true
    }

    private func fail(_ detail: String) -> Bool {
        log.add(.values, detail)
        return false
    }

    /// A row whose last change was purged names one below the first that is kept.
    private func checkRowsWithoutChange() throws {
        let given = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
        let first = try database.integer("SELECT min(id) FROM changes") ?? given.saturatingSum(1)
        try database.forEach(
            """
            SELECT key, last_change FROM quakes q WHERE last_change >= ?
                AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.id = q.last_change AND c.quake = q.key)
            """, first
        ) { rows in
            log.add(.values, "quake \(rows.integer(0)) names change \(rows.integer(1)), which belongs to another quake")
        }
    }
}

extension Quake {
    fileprivate func with(_ recorded: RecordedValues) -> Quake {
        var copy = self
        recorded.restore(into: &copy)
        return copy
    }
}
