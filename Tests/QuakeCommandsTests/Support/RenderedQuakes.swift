import Foundation
import QuakeModel
import QuakeTestSupport

@testable import QuakeCommands

/// Returns `quakes` rendered in `format`.
func rendered(
    _ quakes: [Quake], as format: OutputFormat, fields: [QuakeProperty]? = nil, style: OutputStyle = OutputStyle()
) throws -> String {
    try captured { writer in
        let rendering = format.rendering(of: fields.map(FieldList.init))
        let renderer = rendering.renderer(writer, style)
        try renderer.render(quakes, fields: rendering.fields.compactMap(\.property))
    }
}

/// Returns one row of raw field values rendered in `format`, for values that a `Quake` cannot hold.
func rendered(
    row values: [RawValue], as format: OutputFormat, fields: [QuakeProperty], style: OutputStyle = OutputStyle()
) throws -> String {
    try captured { writer in
        let rendering = format.rendering(of: FieldList(fields))
        let renderer = rendering.renderer(writer, style)
        renderer.begin()
        let texts = values.map { value -> UnsafeMutableBufferPointer<UInt8>? in
            guard case .bytes(let bytes) = value else { return nil }
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { texts.forEach { $0?.deallocate() } }
        try renderer.row { index in
            // A table also reads the type, which appears with the place.
            guard index < values.count else { return .null }
            return switch values[index] {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .bytes: texts[index].map { .text(UnsafeBufferPointer($0)) } ?? .null
            }
        }
        try renderer.end()
    }
}

extension FieldList {
    /// A list of properties.
    init(_ properties: [QuakeProperty]) {
        self.init(fields: properties.map(QuakeField.property))
    }
}

enum RawValue {
    case null
    case integer(Int64)
    case real(Double)
    case bytes([UInt8])

    static func text(_ text: String) -> RawValue { .bytes(Array(text.utf8)) }
}

extension Quake {
    /// A quake as listed in the feed of 2021.
    static func sample(_ code: String = "70000abc", magnitude: Double? = 4.5, place: String? = "8 km E of Fox, Alaska")
        -> Quake
    {
        var quake = Quake(
            sample: "us" + code, at: Hypocenter(longitude: -147.25, latitude: 64.875, depthKilometers: 8.43),
            time: Timestamp(milliseconds: 1_626_986_384_040), updated: Timestamp(milliseconds: 1_626_990_000_000),
            magnitude: magnitude, place: place)
        quake.magnitudeType = "ml"
        quake.status = "reviewed"
        quake.eventType = "earthquake"
        quake.tsunami = 0
        quake.significance = 312
        return quake
    }
}

/// Parses a JSON document.
func parsedJSON(_ text: some StringProtocol) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
}
