import QuakeModel

/// An output field: a property of the quake or a value computed from it.
enum QuakeField: Hashable, Sendable {
    case property(QuakeProperty)
    /// The distance from the nearest site along the surface, in kilometers.
    case distance
    /// The direction of the quake from the nearest site, in degrees clockwise from north.
    case bearing
    /// The name of the nearest site.
    case site
    /// The intensity expected at the nearest site: see ``/QuakeModel/ExpectedIntensity``.
    case shaking
    /// The region of the place: see ``/QuakeModel/Quake/regions``. Written only on request.
    case region
    case nearestCity
    /// The distance from the nearest city along the surface, in kilometers.
    case nearestCityDistance
    /// The direction of the quake from the nearest city, in degrees clockwise from north.
    case nearestCityBearing
    /// A value of the preferred solution, which `details` fetches. Written only on request.
    case solved(SolutionField)
    /// The origin time in the chosen time zone: `2021-07-22 22:39:44`, which spreadsheets recognize as a time.
    case localTime

    /// The properties, in output order.
    static let properties = QuakeProperty.allCases.map(QuakeField.property)
    /// The fields that need a site.
    static let relative: [QuakeField] = [.distance, .bearing, .shaking, .site]
    /// The fields of the nearest city, written only on request.
    static let city: [QuakeField] = [.nearestCity, .nearestCityDistance, .nearestCityBearing]
    static let solved: [QuakeField] = [
        .solved(.horizontalError), .solved(.depthError), .solved(.magError), .solved(.magNst),
        .solved(.locationSource), .solved(.magSource),
    ]
    /// The fields known for every quake.
    static let ofQuakes = properties + [.region] + relative + city + [.localTime]
    static let all = ofQuakes + solved
    /// The fields added after the first columns were settled, oldest first. They are the last columns, so that no other
    /// column moves. A new property belongs here, too.
    static let added: [QuakeField] = [.site]

    /// The name in `--fields` and in the output.
    var name: String {
        switch self {
        case .property(let property): property.rawValue
        case .distance: "distance"
        case .bearing: "bearing"
        case .site: "site"
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
    var property: QuakeProperty? { if case .property(let property) = self { property } else { nil } }

    /// The properties that determine the value; for a value of a solution, those that determine the id.
    var sources: [QuakeProperty] {
        switch self {
        case .property(let property): [property]
        case .distance, .bearing, .site, .nearestCity, .nearestCityDistance, .nearestCityBearing: [.lat, .lon]
        case .shaking: [.lat, .lon, .mag, .depth]
        case .region: [.place, .lon]
        case .solved: [.net, .code]
        case .localTime: [.time]
        }
    }

    var isRelative: Bool { QuakeField.relative.contains(self) }
}

extension [QuakeField] {
    /// These fields, with the ``QuakeField/added`` ones last.
    var inColumnOrder: [QuakeField] {
        filter { !QuakeField.added.contains($0) } + QuakeField.added.filter { contains($0) }
    }
}

/// The fields to print, in the order given: `time,mag,place`, `all` or `usgs`.
struct FieldList: Hashable, Sendable {
    /// The fields; nil for all of them.
    var fields: [QuakeField]?
    /// The column names in delimited formats, if they differ from the field names.
    var headings: [String]?

    /// The columns of the USGS CSV feeds, described at earthquake.usgs.gov/earthquakes/feed/v1.0/csv.php.
    static let usgs: FieldList = {
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
    func fields(_ display: DisplayStyle) -> [QuakeField] {
        fields ?? (QuakeField.properties + display.fieldsForPrograms.filter(\.isRelative)).inColumnOrder
    }

    /// Returns the fields of a record for programs. A time zone on the command line adds the local time. In a full
    /// list, a site on the command line adds the fields relative to it.
    func fieldsForPrograms(_ display: DisplayStyle) -> [QuakeField] {
        guard let fields else { return (QuakeField.properties + display.fieldsForPrograms).inColumnOrder }
        return fields + (display.namesTimeZone && !fields.contains(.localTime) ? [.localTime] : [])
    }
}
