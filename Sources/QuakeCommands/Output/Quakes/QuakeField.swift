package import QuakeModel

/// An output field: a property of the quake or a value computed from it.
package enum QuakeField: Hashable, Sendable {
    case property(QuakeProperty)
    /// The distance from the reference point along the surface, in kilometers.
    case distance
    /// The direction of the quake from the reference point, in degrees clockwise from north.
    case bearing
    /// The intensity expected at the reference point: see ``/QuakeModel/ExpectedIntensity``.
    case shaking
    /// The region of the place: see ``/QuakeModel/Quake/regions``. Written only on request.
    case region
    case nearestCity
    /// The distance from the nearest city along the surface, in kilometers.
    case nearestCityDistance
    /// The direction of the quake from the nearest city, in degrees clockwise from north.
    case nearestCityBearing
    /// A value of the preferred solution, which `details` fetches. Written only on request.
    case solved(PreferredOriginField)
    /// The origin time in the chosen time zone: `2021-07-22 22:39:44`, which spreadsheets recognize as a time.
    case localTime

    /// The properties, in output order.
    package static let properties = QuakeProperty.allCases.map(QuakeField.property)
    /// The fields that need a reference point.
    static let relative: [QuakeField] = [.distance, .bearing, .shaking]
    /// The fields of the nearest city, written only on request.
    static let city: [QuakeField] = [.nearestCity, .nearestCityDistance, .nearestCityBearing]
    static let solved = PreferredOriginField.allCases.map(QuakeField.solved)
    /// The fields known for every quake.
    package static let ofQuakes = properties + [.region] + relative + city + [.localTime]
    package static let all = ofQuakes + solved

    /// The name in `--fields` and in the output.
    package var name: String {
        switch self {
        case .property(let property): property.rawValue
        case .distance: "distance"
        case .bearing: "bearing"
        case .shaking: "shaking"
        case .region: "region"
        case .nearestCity: "nearest_city"
        case .nearestCityDistance: "nearest_city_distance"
        case .nearestCityBearing: "nearest_city_bearing"
        case .solved(let field): field.rawValue
        case .localTime: "local_time"
        }
    }

    /// The property; nil for a computed field.
    package var property: QuakeProperty? {
        if case .property(let property) = self { property } else { nil }
    }

    package var isRelative: Bool { QuakeField.relative.contains(self) }
}

/// The fields to print, in the order given: `time,mag,place`, `all` or `usgs`.
package struct FieldList: Hashable, Sendable {
    /// The fields; nil for all of them.
    package var fields: [QuakeField]?
    /// The column names in delimited formats, if they differ from the field names.
    package var headings: [String]?

    package init(fields: [QuakeField]?, headings: [String]? = nil) { (self.fields, self.headings) = (fields, headings) }

    /// The columns of the USGS CSV feeds, described at earthquake.usgs.gov/earthquakes/feed/v1.0/csv.php.
    package static let usgs: FieldList = {
        let columns: [(String, QuakeField)] = [
            ("time", .property(.time)), ("latitude", .property(.lat)), ("longitude", .property(.lon)),
            ("depth", .property(.depth)), ("mag", .property(.mag)), ("magType", .property(.magType)),
            ("nst", .property(.nst)), ("gap", .property(.gap)), ("dmin", .property(.dmin)), ("rms", .property(.rms)),
            ("net", .property(.net)), ("id", .property(.id)), ("updated", .property(.updated)),
            ("place", .property(.place)), ("type", .property(.type)), ("horizontalError", .solved(.horizontalError)),
            ("depthError", .solved(.depthError)), ("magError", .solved(.magError)), ("magNst", .solved(.magNst)),
            ("status", .property(.status)), ("locationSource", .solved(.locationSource)),
            ("magSource", .solved(.magSource)),
        ]
        return FieldList(fields: columns.map(\.1), headings: columns.map(\.0))
    }()

    /// Returns the fields of a table for people. `all` includes the fields relative to a point on the command line.
    package func fields(_ display: DisplayStyle) -> [QuakeField] {
        fields ?? QuakeField.properties + display.fieldsForPrograms.filter(\.isRelative)
    }

    /// Returns the fields of a record for programs. A time zone on the command line adds the local time. In a full
    /// list, a reference point on the command line adds the fields relative to it.
    package func fieldsForPrograms(_ display: DisplayStyle) -> [QuakeField] {
        guard let fields else { return QuakeField.properties + display.fieldsForPrograms }
        return fields + (display.namesTimeZone && !fields.contains(.localTime) ? [.localTime] : [])
    }
}

/// Reads the fields of a row. Fields other than properties are computed.
package struct FieldReader {
    private enum Source {
        case stored(Int)
        case computed(QuakeField)
    }

    /// The properties to fetch: the requested properties, and any needed to compute other fields.
    package let properties: [QuakeProperty]
    private let sources: [Source]
    private let reference: ReferencePoint?
    /// Whether any field is computed. Otherwise, each field is the property at the same index.
    package let isComputing: Bool
    private let latitudeIndex: Int?
    private let longitudeIndex: Int?
    private let placeIndex: Int?
    private let timeIndex: Int?
    private let magnitudeIndex: Int?
    private let depthIndex: Int?
    private let cities: CityReader?
    private let regions: RegionReader?
    private let solved: SolvedReader?
    private let idIndex: Int?

    /// Creates a reader of `fields`. Fields that need a missing `reference` or `solutions` are null.
    package init(_ fields: [QuakeField], reference: ReferencePoint?, solutions: ((String) -> SolutionHistory?)? = nil) {
        var properties = fields.compactMap(\.property)
        var stored = 0
        sources = fields.map { field in
            switch field {
            case .property:
                stored += 1
                return .stored(stored - 1)
            default: return .computed(field)
            }
        }
        isComputing = fields.contains { $0.property == nil }
        var needed: [QuakeProperty] = []
        if fields.contains(where: { $0.isRelative || QuakeField.city.contains($0) }) { needed += [.lat, .lon] }
        if fields.contains(.shaking) { needed += [.mag, .depth] }
        if fields.contains(.region) { needed += [.place, .lon] }
        if fields.contains(.localTime) { needed.append(.time) }
        let needsSolutions = fields.contains(where: QuakeField.solved.contains)
        if needsSolutions { needed.append(.id) }
        for property in needed where !properties.contains(property) { properties.append(property) }
        idIndex = properties.firstIndex(of: .id)
        solved = needsSolutions ? solutions.map(SolvedReader.init) : nil
        placeIndex = properties.firstIndex(of: .place)
        timeIndex = properties.firstIndex(of: .time)
        (latitudeIndex, longitudeIndex) = (properties.firstIndex(of: .lat), properties.firstIndex(of: .lon))
        (magnitudeIndex, depthIndex) = (properties.firstIndex(of: .mag), properties.firstIndex(of: .depth))
        cities = fields.contains(where: QuakeField.city.contains) ? CityReader() : nil
        regions = fields.contains(.region) ? RegionReader() : nil
        (self.properties, self.reference) = (properties, reference)
    }

    /// Returns the value of the field at `index`. `stored` returns the property at an index of ``properties``.
    package func value(at index: Int, _ stored: (Int) -> FieldValue) -> FieldValue {
        switch sources[index] {
        case .stored(let position): stored(position)
        case .computed(.localTime): timeIndex.map(stored) ?? .null
        case .computed(.solved(let field)): idIndex.flatMap { solved?.value(of: field, id: stored($0)) } ?? .null
        case .computed(.region):
            placeIndex.flatMap {
                regions?.regions(of: stored($0), longitude: longitudeIndex.flatMap { stored($0).number } ?? 0)
            } ?? .null
        case .computed(let field): epicenter(stored).map { computed(field, $0, stored) } ?? .null
        }
    }

    private func computed(
        _ field: QuakeField, _ epicenter: GeographicPoint, _ stored: (Int) -> FieldValue
    ) -> FieldValue {
        switch field {
        case .property, .localTime, .region, .solved: .null
        case .distance: FieldValue(reference?.distance(to: epicenter))
        case .bearing: FieldValue(reference?.bearing(to: epicenter))
        case .shaking:
            FieldValue(
                reference?.shaking(
                    magnitude: magnitudeIndex.flatMap { stored($0).number }, epicenter: epicenter,
                    depthKilometers: depthIndex.flatMap { stored($0).number }))
        case .nearestCity: cities?.name(nearestTo: epicenter) ?? .null
        case .nearestCityDistance: FieldValue(cities?.reference(nearestTo: epicenter)?.distance(to: epicenter))
        case .nearestCityBearing: FieldValue(cities?.reference(nearestTo: epicenter)?.bearing(to: epicenter))
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
    fileprivate init(_ number: Double?) { self = number.map { .real($0) } ?? .null }

    /// The value as a text, or nil.
    package var text: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The value as a finite number, or nil.
    package var number: Double? {
        switch self {
        case .real(let value) where value.isFinite: value
        case .integer(let value): Double(value)
        case .real, .text, .null: nil
        }
    }
}
