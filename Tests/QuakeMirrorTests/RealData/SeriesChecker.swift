import Foundation
import QuakeStore
import Testing

/// Compares the changes recorded by a replay with the documents, independently of the product's method.
///
/// It keeps the last published state of every quake and expects exactly these changes from every snapshot: inserts of
/// quakes never listed before, updates with the properties that differ, renames if a feature lists the preferred id of
/// a known quake, and another name for an unmoved hypocenter once six snapshots over an hour agree on it. A CSV
/// document has no `ids`, so it renames nothing. The series checked contain no step back in `updated` and no merge,
/// which it would report.
struct SeriesChecker {
    /// The last published state of every quake, by preferred id.
    private(set) var states: [String: RawQuake] = [:]
    /// Unconfirmed place names for unmoved hypocenters, by preferred id.
    private var coveredRanges: [String: NamePeriod] = [:]
    /// The number of changes that agreed, by kind.
    private(set) var agreed: [String: Int] = [:]

    /// Returns the changes that the next snapshot must make, in the terms of a story.
    mutating func expect(_ snapshot: RawSnapshot) -> Set<StepOutcome.Change> {
        var changes: Set<StepOutcome.Change> = []
        for (id, quake) in snapshot.quakes {
            let ids = if case .set(let ids)? = quake.values["ids"] { ids } else { Set<String>() }
            let known = states[id] == nil ? ids.first { states[$0] != nil && snapshot.quakes[$0] == nil } : id
            guard let known, let state = states[known] else {
                changes.insert(StepOutcome.Change(op: "insert", reason: "new", id: id))
                states[id] = quake
                continue
            }
            #expect(quake.updated >= state.updated, "\(id) steps back; this checker cannot judge it")
            var quake = quake
            if holdsName(of: quake, for: state, known, renamedTo: id, at: snapshot.generated) {
                quake.values["place"] = state.place
            }
            let differences = quake.differences(from: state).sorted()
            if known != id {
                changes.insert(
                    StepOutcome.Change(op: "update", reason: "renamed", id: id, changed: differences, previous: known))
            } else if !differences.isEmpty {
                changes.insert(StepOutcome.Change(op: "update", reason: "revised", id: id, changed: differences))
            }
            states[known] = nil
            states[id] = quake
        }
        return changes
    }

    /// Another name for an unmoved hypocenter, and the number of times it was listed.
    private struct NamePeriod {
        var name: RawQuake.Value
        var first: Int64
        var last: Int64
        var snapshots = 1
    }

    /// Whether the name of `quake` is a different one for an unmoved hypocenter, listed less than six times or for less
    /// than an hour.
    private mutating func holdsName(
        of quake: RawQuake, for state: RawQuake, _ known: String, renamedTo id: String, at generated: Int64
    ) -> Bool {
        var range = coveredRanges.removeValue(forKey: known)
        guard quake.hypocenter == state.hypocenter, quake.place != state.place, state.place != .null else {
            return false
        }
        if range?.name != quake.place { range = nil }
        var next = range ?? NamePeriod(name: quake.place, first: generated, last: generated)
        if range != nil, generated > next.last {
            next.snapshots += 1
            next.last = generated
        }
        coveredRanges[id] = next
        guard next.snapshots >= 6, next.last - next.first >= 3_600_000 else { return true }
        coveredRanges[id] = nil
        return false
    }

    /// Applies the file at `path` to `replay` and compares.
    mutating func check(_ path: String, _ replay: Replay) throws {
        try check(try RawSnapshot(path: path), in: path, replay)
    }

    /// Applies the file at `path`, which contains `snapshot`, to `replay` and compares. The documents do not
    /// distinguish late from new.
    mutating func check(_ snapshot: RawSnapshot, in path: String, _ replay: Replay) throws {
        let expected = expect(snapshot)
        var observed = try StepOutcome.observed(replay, path)
        observed.changes = Set(
            observed.changes.map { change in
                var change = change
                if change.reason == "late" { change.reason = "new" }
                return change
            })
        #expect(observed == StepOutcome(changes: expected), "\(path)")
        for change in expected { agreed[change.reason, default: 0] += 1 }
    }

    /// Compares the whole cache with the last state of every quake.
    func checkCache(_ replay: Replay) throws {
        var cache: [String: RawQuake] = [:]
        try replay.context.enumerate { cache[$0.quake.id] = RawQuake($0.quake) }
        #expect(Set(cache.keys) == Set(states.keys))
        for (id, quake) in cache {
            guard let state = states[id] else { continue }
            #expect(quake.differences(from: state).isEmpty, "\(id)")
        }
    }
}
