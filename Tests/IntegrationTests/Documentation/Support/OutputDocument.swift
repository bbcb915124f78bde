import Foundation

/// The lists of fields in Documentation/output.md. The comment above a list names the records that have its fields:
/// `<!-- consumer; status: consumers[] -->` marks those of a consumer and of each element of `consumers` in a status.
struct OutputDocument {
    /// An item of a list: one or more names and the text about them.
    struct Item {
        /// The names as printed, such as `feeds[]`.
        var names: [String]
        var text: String
    }

    /// The paths of each record's fields, in order, such as `feeds[].name`.
    private(set) var fields: [String: [String]] = [:]
    private(set) var items: [Item] = []

    init() throws {
        var records: [(name: String, place: String)] = []
        // The names of the latest item at each depth, as places of its members.
        var places: [[String]] = []
        for line in try Self.joinedLines(of: Document("Documentation/output.md").text) {
            if let match = line.wholeMatch(of: /<!-- (.+) -->/) {
                records = match.output.1.split(separator: "; ").map { record in
                    let parts = record.split(separator: ": ").map(String.init)
                    return (parts[0], parts.count > 1 ? "\(parts[1])." : "")
                }
            } else if let match = line.wholeMatch(of: /( *)- (`[^`]+`(?:, `[^`]+`)*)(?:: (.+))?/), !records.isEmpty {
                let names = match.output.2.matches(of: /`([^`]+)`/).map { String($0.output.1) }
                items.append(Item(names: names, text: String(match.output.3 ?? "")))
                places = Array(places.prefix(match.output.1.count / 2))
                let paths = (places.last ?? [""]).flatMap { place in names.map { place + $0 } }
                places.append(paths.map { "\($0)." })
                // `{…}` are the labels of a metric.
                let plain = paths.map { $0.replacing(/\[\]$|\{.*/, with: "") }
                for record in records { fields[record.name, default: []] += plain.map { record.place + $0 } }
            } else {
                records = []
                places = []
            }
        }
    }

    /// Returns the lines of `text`, each item of a list as one line.
    private static func joinedLines(of text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.trimmingPrefix { $0 == " " }
            if line.hasPrefix("  "), !words.hasPrefix("- "), let last = lines.indices.last {
                lines[last] += " \(words)"
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// The shape of `record`. A transaction with changes also has the members of one without.
    func shape(of record: String) -> RecordShape {
        let own = fields[record] ?? []
        return RecordShape(
            members: Set(record == "transaction changes" ? own + (fields["transaction"] ?? []) : own),
            quake: Set(fields["quake"] ?? []))
    }
}

/// The documented members of a kind of record, compared with real records of that kind.
struct RecordShape {
    /// The paths of all members, such as `feeds[].name`.
    let members: Set<String>
    /// The fields of a whole quake.
    let quake: Set<String>
    /// The paths found in real records.
    private(set) var seen: Set<String> = []
    /// Members that exist but are not documented, or are documented but do not exist.
    private(set) var faults: Set<String> = []

    init(members: Set<String>, quake: Set<String>) {
        self.members = members
        self.quake = quake
    }

    /// Checks another record. Each of its objects must have exactly the members documented for its position.
    mutating func take(_ object: [String: Any], at place: String = "") {
        let present = Set(object.keys.map { place + $0 })
        let documented = members.filter { $0.hasPrefix(place) && !$0.dropFirst(place.count).contains(".") }
        faults.formUnion(present.subtracting(documented).map { "\($0) is not documented" })
        faults.formUnion(documented.subtracting(present).map { "\($0) is not there" })
        seen.formUnion(present)
        for (name, value) in object {
            if name == "extra" {
                continue
            } else if name == "conditions" {
                // Only the members that were set are present.
                let documented = members.filter { $0.hasPrefix("\(place)\(name).") }
                let present = Set(((value as? [String: Any]) ?? [:]).keys.map { "\(place)\(name).\($0)" })
                faults.formUnion(present.subtracting(documented).map { "\($0) is not documented" })
                seen.formUnion(documented)
            } else if let allowed = fields(of: name, in: object) {
                guard let values = value as? [String: Any], !allowed.contains(Set(values.keys)) else { continue }
                faults.insert("\(place)\(name) holds \(values.keys.sorted())")
            } else if let inner = value as? [String: Any] {
                take(inner, at: "\(place)\(name).")
            } else {
                for case let inner as [String: Any] in value as? [Any] ?? [] { take(inner, at: "\(place)\(name)[].") }
            }
        }
    }

    /// The sets of fields allowed in the member `name` of `record`, if it contains a quake's values.
    private func fields(of name: String, in record: [String: Any]) -> [Set<String>]? {
        switch name {
        case "values": [quake]
        case "before", "after": [quake, Set(record["changed"] as? [String] ?? [])]
        case "properties": [quake.subtracting(["id", "lat", "lon", "depth", "extra"])]
        default: nil
        }
    }
}
