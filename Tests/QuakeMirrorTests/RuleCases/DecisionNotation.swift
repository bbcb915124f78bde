import QuakeTestSupport

@testable import QuakeMirror

extension FeatureDecision: CustomStringConvertible {
    /// The decision on one line, such as `settled: update 1 revised: mag; lists 1`.
    var description: String {
        let parts =
            operations.map(\.notation) + [
                listed.isEmpty ? "" : "lists \(listed.notation)",
                unconfirmed.isEmpty ? "" : "unconfirmed \(unconfirmed.notation)",
                idsInQuestion.notation,
                undecidedQuakes.isEmpty ? "" : "uncertain " + undecidedQuakes.map(\.id).joined(separator: ","),
                disputedOriginTimes.notation,
            ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: "; ")
        return text.isEmpty ? "\(outcome)" : "\(outcome): \(text)"
    }
}

extension SnapshotOutcome {
    /// The outcome on one line, such as `lists 1,2; confirms 1`.
    var notation: String {
        let confirmed = listed.sorted().filter { self.confirmed.contains($0) }
        let parts = [
            listed.isEmpty ? "" : "lists \(listed.sorted().notation)",
            confirmed.isEmpty ? "" : "confirms \(confirmed.notation)", idsInQuestion.notation,
            undecidedQuakes.isEmpty ? "" : "uncertain " + undecidedQuakes.map(\.id).joined(separator: ","),
            disputedOriginTimes.notation,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

extension Absences {
    /// The decision on one line, such as `record absent 1-3 (1 at 12:05); unconfirmed 3`.
    var notation: String {
        let parts = [
            isSuspect ? "suspect" : "", operations.notation, unconfirmed == 0 ? "" : "unconfirmed \(unconfirmed)",
            awaitingService.isEmpty ? "" : "asks about \(awaitingService.notation)",
        ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: "; ")
        return text.isEmpty ? "nothing" : text
    }
}

extension [Operation] {
    /// The operations on one line, or `nothing`.
    var described: String { isEmpty ? "nothing" : notation }

    /// The operations on one line. Equal ones for several quakes in a row are one.
    var notation: String {
        var texts: [(before: String, keys: [QuakeKey], after: String)] = []
        for operation in self {
            let parts = operation.parts
            if let last = texts.indices.last, texts[last].before == parts.before, texts[last].after == parts.after {
                texts[last].keys += parts.keys
            } else {
                texts.append(parts)
            }
        }
        return texts.map { $0.before + $0.keys.notation + $0.after }.joined(separator: "; ")
    }
}

extension Operation {
    fileprivate var notation: String { [self].notation }

    /// The text before the quake's key, the key, and the text after it.
    fileprivate var parts: (before: String, keys: [QuakeKey], after: String) {
        switch self {
        case .insert(let quake, let reason, let key, let aliases):
            return ("insert \(quake.id) \(reason)" + (key == nil ? "" : " as "), key.map { [$0] } ?? [], aliases.added)
        case .update(let stored, let quake, let reason, let aliases):
            let changes = quake.changes(from: stored.quake).joined(separator: ",")
            return ("update ", [stored.key], " \(reason): \(changes)" + aliases.added)
        case .confirm(let key): return ("confirm ", [key], "")
        case .delete(let stored, let reason, let survivor):
            return ("delete ", [stored.key], " \(reason)" + (survivor.map { " into \($0)" } ?? ""))
        case .recordUnconfirmed(let change): return ("record \(change.kind) ", [change.quakeKey], change.details)
        case .drop(let kind, let key): return ("drop \(kind) ", [key], "")
        }
    }
}

extension Quake {
    /// The properties that differ from those of `old`. Another id replaces network and code.
    fileprivate func changes(from old: Quake) -> [String] {
        var changes = differences(from: old).map(\.rawValue)
        if !id.isSameID(as: old.id), let first = changes.firstIndex(where: { ["net", "code"].contains($0) }) {
            changes[first] = "id=\(id)"
            changes.removeAll { ["net", "code"].contains($0) }
        }
        for property in QuakeProperty.publishedTexts where self[stored: property] != old[stored: property] {
            changes.append(property.rawValue)
        }
        return changes
    }
}

extension UnconfirmedChange {
    /// The details after the quake's key, such as ` Elk (2, 12:00 to 12:05)`.
    fileprivate var details: String {
        let value =
            switch kind {
            case .absent: ""
            case .backward: " " + (updated?.clock ?? "none")
            case .place: " " + (place ?? "none")
            }
        let times = first == last ? " at \(first.clock)" : ", \(first.clock) to \(last.clock)"
        return "\(value) (\(snapshots)\(times))" + (awaitsService ? " awaiting" : "")
    }
}

extension [QuakeKey] {
    /// The keys, three or more in a row as `1-3`.
    fileprivate var notation: String {
        var ranges: [(first: Int64, last: Int64)] = []
        for key in map(\.rawValue) {
            if let last = ranges.indices.last, ranges[last].last == key - 1 {
                ranges[last].last = key
            } else {
                ranges.append((key, key))
            }
        }
        return ranges.map { range in
            switch range.last - range.first {
            case 0: "\(range.first)"
            case 1: "\(range.first),\(range.last)"
            default: "\(range.first)-\(range.last)"
            }
        }.joined(separator: ",")
    }
}

extension [String] {
    /// The ids that an operation assigns.
    fileprivate var added: String { isEmpty ? "" : " +" + joined(separator: ",") }
}

extension [IDInQuestion] {
    /// The ids in question, those with the same reason together. The usual times are left out.
    fileprivate var notation: String {
        var texts: [(ids: [String], reason: String)] = []
        for idInQuestion in self {
            let time = idInQuestion.originTimes.lowerBound
            let raised = idInQuestion.raised
            let id =
                idInQuestion.id + (time == .minute(-30) ? "" : "@" + time.clock)
                + (raised == .minute(5) ? "" : " raised " + raised.clock)
            if let last = texts.indices.last, texts[last].reason == idInQuestion.reason {
                texts[last].ids.append(id)
            } else {
                texts.append(([id], idInQuestion.reason))
            }
        }
        let list = texts.map { "\($0.ids.joined(separator: ",")) (\($0.reason))" }.joined(separator: ", ")
        return list.isEmpty ? "" : "in question " + list
    }
}

extension Set<Timestamp> {
    fileprivate var notation: String {
        isEmpty ? "" : "withheld " + sorted().map(\.clock).joined(separator: ",")
    }
}
