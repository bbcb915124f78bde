import FoundationEssentials
import QuakeModel

/// Some values of a quake as the history keeps them: a JSON object whose members are named as the columns, so that
/// plain SQL can ask for them: `before ->> 'mag'`. An update keeps two, before and after, with exactly the properties
/// that differ; a tombstone keeps all values that are not null.
struct RecordedValues: Equatable {
    private(set) var values: [(name: String, value: QuakeValue)] = []

    static func == (left: RecordedValues, right: RecordedValues) -> Bool {
        left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The values of `quake` that differ from `other`: those of `properties`, in that order, and a title or address
    /// that was published instead of the derived one. Such a text alone is not a difference, but it is restored with
    /// the rest.
    init(_ properties: [QuakeProperty], of quake: Quake, against other: Quake) {
        let published = QuakeProperty.published.filter { quake[stored: $0] != other[stored: $0] }
        values = (properties + published).map { ($0.rawValue, quake[stored: $0]) }
    }

    init(tombstoneOf quake: Quake) {
        values = QuakeProperty.stored.map { ($0.rawValue, quake[stored: $0]) }.filter { $0.1 != .null }
    }

    /// The properties that make up the change, in the order in which they were recorded.
    var properties: [QuakeProperty] {
        values.compactMap { QuakeProperty(rawValue: $0.name) }.filter { !$0.isDerived }
    }

    /// Puts the recorded values into `quake`.
    func restore(into quake: inout Quake) {
        for (name, value) in values {
            if let property = QuakeProperty(rawValue: name) { quake[stored: property] = value }
        }
    }

    var tombstone: Quake {
        var quake = Quake.blank
        restore(into: &quake)
        return quake
    }
}

extension RecordedValues {
    var json: String {
        var text = "{"
        for (name, value) in values {
            if text.utf8.count > 1 { text += "," }
            text += "\"\(name)\":"
            switch value {
            case .null: text += "null"
            case .integer(let integer): text += String(integer)
            case .real(let real): text += "\(real)"
            case .text(let string): text += JSONText.quoted(string)
            }
        }
        return text + "}"
    }

    /// Reads the values that a change in the cache at `path` keeps; throws where the file is damaged.
    init(keptAs json: String, in path: String) throws(StoreError) {
        guard let values = RecordedValues(json: json) else {
            throw .corrupt(path: path, reason: "recorded values of a change cannot be read")
        }
        self = values
    }

    /// Reads what ``json`` wrote; nil for any other text, as in a damaged file.
    init?(json: String) {
        guard let object = try? JSONDecoder().decode(Members.self, from: Data(json.utf8)) else { return nil }
        values = object.values
    }

    private struct Members: Decodable {
        var values: [(name: String, value: QuakeValue)] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONName.self)
            for key in container.allKeys {
                guard let property = QuakeProperty(rawValue: key.stringValue) else { continue }
                if try container.decodeNil(forKey: key) {
                    values.append((key.stringValue, .null))
                } else {
                    switch property.kind {
                    case .integer, .time:
                        values.append((key.stringValue, .integer(try container.decode(Int64.self, forKey: key))))
                    case .real: values.append((key.stringValue, .real(try container.decode(Double.self, forKey: key))))
                    case .text: values.append((key.stringValue, .text(try container.decode(String.self, forKey: key))))
                    }
                }
            }
            values.sort { QuakeProperty.order[$0.name, default: 0] < QuakeProperty.order[$1.name, default: 0] }
        }
    }
}

/// The name of any member of a JSON object.
struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension QuakeProperty {
    fileprivate static let order = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($0.element.rawValue, $0.offset) })
}
