import Foundation
import QuakeModel

/// A field as text the way a script writes it.
enum PlainField {
    static func text(_ value: QuakeValue, of property: QuakeProperty) -> String {
        switch value {
        case .null: ""
        case .integer(let moment) where [.time, .updated].contains(property): iso8601(moment)
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text) where text.contains(where: { ",\"\n\r".contains($0) }):
            "\"" + text.replacing("\"", with: "\"\"") + "\""
        case .text(let text): text
        }
    }

    static func iso8601(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(style)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// A quake as an object of a JSON listing.
struct PlainRow: Encodable {
    private let quake: Quake

    init(_ quake: Quake) {
        self.quake = quake
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ property: QuakeProperty) { stringValue = property.rawValue }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for property in QuakeProperty.allCases {
            switch quake[property] {
            case .null: try container.encodeNil(forKey: Name(property))
            case .integer(let moment) where [.time, .updated].contains(property):
                try container.encode(PlainField.iso8601(moment), forKey: Name(property))
            case .integer(let number): try container.encode(number, forKey: Name(property))
            case .real(let number): try container.encode(number, forKey: Name(property))
            case .text(let text): try container.encode(text, forKey: Name(property))
            }
        }
    }
}
