import Foundation

/// The tables in Documentation/output.md, by the name in the comment above each. `<!-- output: refresh window, each
/// skipped[] -->` marks members that the elements of `skipped` have in both records.
struct OutputDocument {
    /// The fields of each table, in order.
    private(set) var fields: [String: [String]] = [:]

    init() throws {
        var records: [String] = []
        var places: [String] = []
        for line in try Document("Documentation/output.md").text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /<!-- output: ([^,]+)(, each (.+))? -->/) {
                let names = String(match.output.1)
                places = match.output.3?.split(separator: " ").map { "\($0)." } ?? [""]
                records = match.output.3 == nil ? [names] : names.split(separator: " ").map(String.init)
            } else if line.hasPrefix("| `") {
                let names = line.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.output.1) }
                for record in records {
                    fields[record, default: []] += places.flatMap { place in names.map { place + $0 } }
                }
            } else if !line.hasPrefix("|") {
                records = []
            }
        }
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
