import Foundation

/// A JSON value parsed by Foundation, as an independent reader.
enum JSONValue: Hashable, Sendable {
    case null
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(_ data: Data) throws {
        self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    }

    /// Booleans become 0 and 1.
    private init(_ value: Any) {
        switch value {
        case let number as NSNumber: self = .number(number.doubleValue)
        case let text as String: self = .text(text)
        case let array as [Any]: self = .array(array.map { JSONValue($0) })
        case let object as [String: Any]: self = .object(object.mapValues { JSONValue($0) })
        default: self = .null
        }
    }

    /// The member `name` of an object; null if there is none.
    subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The elements of an array; empty for any other value.
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var integer: Int? { number.map { Int($0) } }
    var isNull: Bool { self == .null }

    var names: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }
}
