import QuakeModel
import QuakeStore

/// Everything `quakes show` tells of one quake.
struct QuakeDetails {
    let key: Int64
    /// The present values, or those it had when it was deleted; nil when that history was purged.
    let quake: Quake?
    let isDeleted: Bool
    let aliases: [String]
    let changes: [(change: HistoryChange, transaction: HistoryTransaction)]

    /// The quake that has or had `id`; nil when none ever did.
    init?(id: String, in context: QuakeContext) throws {
        guard let key = try context.key(ofID: id) else { return nil }
        self.key = key
        aliases = try context.aliases(ofKey: key)
        changes = try context.changes(ofKey: key).compactMap { change in
            try context.transaction(change.transaction).map { (change, $0) }
        }
        let current = try context.quake(forKey: key)?.quake
        isDeleted = current == nil
        quake = current ?? changes.last?.change.before
    }

    func writeText(_ writer: ByteWriter) {
        if let quake {
            writer.append(sanitized: "\(quake.id)  \(quake.title)\(isDeleted ? "  (deleted)" : "")")
            writer.append("\n")
            for property in QuakeProperty.allCases where property != .id && property != .title {
                let value = quake[property]
                guard value != .null else { continue }
                writer.append("  " + property.rawValue.padding(to: 10))
                writer.append(sanitized: value.words(of: property))
                writer.append("\n")
            }
        } else {
            writer.append("quake \(key)  (deleted; its history was purged)\n")
        }
        writer.append("  " + "known as".padding(to: 10))
        writer.append(sanitized: aliases.joined(separator: ", "))
        writer.append("\nhistory\n")
        if changes.isEmpty { writer.append("  purged\n") }
        for (change, transaction) in changes {
            writer.append("  \(transaction.number)".padding(to: 8))
            writer.append("\(transaction.time.iso8601)  \(change.kind.rawValue.padding(to: 7)) ")
            writer.append(change.reason.rawValue.padding(to: 10))
            writer.append(sanitized: change.words())
            writer.append("\n")
        }
    }

    func write(_ json: JSONWriter) throws(OutputError) {
        json.object {
            json.member("quake", key)
            json.member("deleted", isDeleted)
            json.member("known_as", aliases)
            json.member("values", quake)
            json.array("history") {
                for (change, transaction) in changes {
                    json.object {
                        json.member("change_id", change.id)
                        json.member("transaction", transaction.number)
                        json.member("time", transaction.time)
                        json.member("author", transaction.author)
                        json.member("feed", transaction.context)
                        json.member("op", change.kind.rawValue)
                        json.member("reason", change.reason.rawValue)
                        json.member("changed", change.changed.map(\.rawValue))
                        json.values("before", of: change, \.before)
                        json.values("after", of: change, \.after)
                    }
                }
            }
        }
        try json.endLine()
    }
}

extension JSONWriter {
    /// Writes the values before or after a change: those that differ of an update, all of an insert or a deletion.
    func values(_ name: String, of change: HistoryChange, _ side: KeyPath<HistoryChange, Quake?>) {
        switch change.effect {
        case .update(_, _, let changed): member(name, change[keyPath: side], properties: changed)
        case .insert, .delete: member(name, change[keyPath: side])
        }
    }
}

extension HistoryChange {
    /// What the change did, for people: `mag 4.6 → 4.3, updated …`.
    func words(usesEpochTime: Bool = false) -> String {
        switch effect {
        case .insert(let quake): return quake.title
        case .update(let before, let after, let changed):
            return changed.map { property in
                let sides = [before, after].map { $0[property].words(of: property, usesEpochTime: usesEpochTime) }
                return "\(property.rawValue) \(sides.joined(separator: " → "))"
            }.joined(separator: ", ")
        case .delete(let tombstone, let survivor):
            return survivor.map { "into quake \($0): \(tombstone.title)" } ?? tombstone.title
        }
    }
}

extension QuakeValue {
    /// The value as people read it.
    func words(of property: QuakeProperty, usesEpochTime: Bool = false) -> String {
        switch self {
        case .null: "none"
        case .integer(let value):
            property.kind == .time
                ? Timestamp(milliseconds: value).words(usesEpochTime: usesEpochTime) : String(value)
        case .real(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
        case .text(let text): text
        }
    }
}

extension Timestamp {
    /// The moment as people read it: ISO 8601, or epoch milliseconds.
    func words(usesEpochTime: Bool) -> String {
        usesEpochTime ? String(milliseconds) : iso8601
    }
}
