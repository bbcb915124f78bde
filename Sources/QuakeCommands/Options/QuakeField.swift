import ArgumentParser
import QuakeModel

/// A field of the output: a property of the quake, or how the quake lies from the reference point.
enum QuakeField: Hashable, Sendable {
    case property(QuakeProperty)
    /// Kilometres from the reference point along the surface.
    case distance
    /// Degrees clockwise from north in which the quake lies from the reference point.
    case bearing

    /// The properties, in the order of the output.
    static let properties = QuakeProperty.allCases.map(QuakeField.property)
    /// The fields that need a reference point.
    static let relative: [QuakeField] = [.distance, .bearing]
    /// All fields.
    static let all = properties + relative

    /// The name in `--fields` and in the output.
    var name: String {
        switch self {
        case .property(let property): property.rawValue
        case .distance: "distance"
        case .bearing: "bearing"
        }
    }

    /// The property; nil for a computed field.
    var property: QuakeProperty? {
        if case .property(let property) = self { property } else { nil }
    }

    /// Whether the field needs a reference point.
    var isRelative: Bool { property == nil }

    /// The field called `name`; the case does not matter.
    static func named(_ name: some StringProtocol) throws -> QuakeField {
        if let property = QuakeProperty(rawValue: String(name)) { return .property(property) }
        return try FieldName.find(name, among: all, \.name)
    }
}

/// Finds fields by their names.
enum FieldName {
    /// The field called `name`; the case does not matter. Throws an error that names the most similar field and those
    /// in `listed`.
    static func find<Field>(
        _ name: some StringProtocol, among fields: [Field], _ nameOf: (Field) -> String, what: String = "field",
        _ listed: [String]? = nil
    ) throws -> Field {
        let lowercased = name.lowercased()
        if let field = fields.first(where: { nameOf($0).lowercased() == lowercased }) { return field }
        let names = fields.map(nameOf)
        let nearest = names.filter { lowercased.hasPrefix($0.lowercased()) }.max { $0.count < $1.count }
        let suggestion =
            (nearest ?? lowercased.nearest(among: names.filter { $0.first == lowercased.first })).map {
                " Did you mean \($0)?"
            } ?? ""
        throw ValidationError(
            "There is no \(what) \"\(TerminalText.sanitized(String(name)))\".\(suggestion) The \(what)s are: "
                + "\((listed ?? names).joined(separator: ", ")).")
    }
}

/// Reads the fields of a row. Distance and bearing are computed from its coordinates.
struct FieldReader {
    private enum Source {
        case stored(Int)
        case distance, bearing
    }

    /// What to fetch: the properties among the fields, and the coordinates where they are needed.
    let properties: [QuakeProperty]
    private let sources: [Source]
    private let reference: ReferencePoint?
    private let latitudeIndex: Int?
    private let longitudeIndex: Int?

    /// A reader of `fields`. Without a `reference` distance and bearing are null.
    init(_ fields: [QuakeField], reference: ReferencePoint?) {
        var properties = fields.compactMap(\.property)
        var stored = 0
        sources = fields.map { field in
            switch field {
            case .distance: return .distance
            case .bearing: return .bearing
            case .property:
                stored += 1
                return .stored(stored - 1)
            }
        }
        if fields.contains(where: \.isRelative) {
            for property in [QuakeProperty.lat, .lon] where !properties.contains(property) {
                properties.append(property)
            }
        }
        latitudeIndex = properties.firstIndex(of: .lat)
        longitudeIndex = properties.firstIndex(of: .lon)
        self.properties = properties
        self.reference = reference
    }

    /// The value of the field at `index`. `stored` gives that of the property at an index of ``properties``.
    func value(at index: Int, _ stored: (Int) -> FieldValue) -> FieldValue {
        switch sources[index] {
        case .stored(let position): stored(position)
        case .distance: epicenter(stored).flatMap { reference?.distance(to: $0) }.map(FieldValue.real) ?? .null
        case .bearing: epicenter(stored).flatMap { reference?.bearing(to: $0) }.map(FieldValue.real) ?? .null
        }
    }

    private func epicenter(_ stored: (Int) -> FieldValue) -> GeographicPoint? {
        guard let latitude = latitudeIndex.flatMap({ stored($0).number }),
            let longitude = longitudeIndex.flatMap({ stored($0).number })
        else { return nil }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }
}

extension FieldValue {
    /// The value as a finite number, or nil.
    var number: Double? {
        switch self {
        case .real(let value) where value.isFinite: value
        case .integer(let value): Double(value)
        case .real, .text, .null: nil
        }
    }
}

extension QuakeValue {
    /// A copy of the value of a field, which stays valid when the row is gone.
    init(copying field: FieldValue) {
        self =
            switch field {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
            }
    }
}
