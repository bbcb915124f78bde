package import QuakeModel

/// A field of the output: a property of the quake, or how the quake lies from the reference point.
package enum QuakeField: Hashable, Sendable {
    case property(QuakeProperty)
    /// Kilometres from the reference point along the surface.
    case distance
    /// Degrees clockwise from north in which the quake lies from the reference point.
    case bearing
    /// The origin time as the clocks of the time zone show it: `2021-07-22 22:39:44`, which spreadsheets take for a time.
    case localTime

    /// The properties, in the order of the output.
    package static let properties = QuakeProperty.allCases.map(QuakeField.property)
    /// The fields that need a reference point.
    static let relative: [QuakeField] = [.distance, .bearing]
    /// All fields.
    package static let all = properties + relative + [.localTime]

    /// The name in `--fields` and in the output.
    package var name: String {
        switch self {
        case .property(let property): property.rawValue
        case .distance: "distance"
        case .bearing: "bearing"
        case .localTime: "local_time"
        }
    }

    /// The property; nil for a computed field.
    package var property: QuakeProperty? {
        if case .property(let property) = self { property } else { nil }
    }

    /// Whether the field needs a reference point.
    package var isRelative: Bool { QuakeField.relative.contains(self) }
}

/// The fields to print, in the order given: `time,mag,place`, or `all`.
package struct FieldList: Hashable, Sendable {
    /// The fields; nil for all of them.
    package var fields: [QuakeField]?

    /// The list of `fields`; nil for all of them.
    package init(fields: [QuakeField]?) {
        self.fields = fields
    }

    /// The fields. `all` includes distance and bearing if the command line names a point, and in a flat format the local
    /// time if it names a time zone.
    package func fields(_ display: DisplayStyle, isFlat: Bool = false) -> [QuakeField] {
        fields ?? QuakeField.properties + (display.referenceForPrograms == nil ? [] : QuakeField.relative)
            + (isFlat && display.hasTimeZoneForPrograms ? [.localTime] : [])
    }
}

/// Reads the fields of a row. Distance and bearing are computed from its coordinates.
package struct FieldReader {
    private enum Source {
        case stored(Int)
        case distance, bearing, localTime
    }

    /// What to fetch: the properties among the fields, and the coordinates where they are needed.
    package let properties: [QuakeProperty]
    private let sources: [Source]
    private let reference: ReferencePoint?
    /// Whether a field is computed. Otherwise a field is the property at the same index.
    package let isComputing: Bool
    private let latitudeIndex: Int?
    private let longitudeIndex: Int?
    private let timeIndex: Int?

    /// A reader of `fields`. Without a `reference` distance and bearing are null.
    package init(_ fields: [QuakeField], reference: ReferencePoint?) {
        var properties = fields.compactMap(\.property)
        var stored = 0
        sources = fields.map { field in
            switch field {
            case .distance: return .distance
            case .bearing: return .bearing
            case .localTime: return .localTime
            case .property:
                stored += 1
                return .stored(stored - 1)
            }
        }
        isComputing = fields.contains { $0.property == nil }
        let needed: [QuakeProperty] =
            (fields.contains(where: \.isRelative) ? [.lat, .lon] : []) + (fields.contains(.localTime) ? [.time] : [])
        for property in needed where !properties.contains(property) { properties.append(property) }
        timeIndex = properties.firstIndex(of: .time)
        latitudeIndex = properties.firstIndex(of: .lat)
        longitudeIndex = properties.firstIndex(of: .lon)
        self.properties = properties
        self.reference = reference
    }

    /// The value of the field at `index`. `stored` gives that of the property at an index of ``properties``.
    package func value(at index: Int, _ stored: (Int) -> FieldValue) -> FieldValue {
        switch sources[index] {
        case .stored(let position): stored(position)
        case .localTime: timeIndex.map(stored) ?? .null
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
    package var number: Double? {
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
