package import QuakeModel

/// An output field: a property of the quake or a value computed from it.
package enum QuakeField: Hashable, Sendable {
    case property(QuakeProperty)
    /// The distance along the surface to the nearest site (a place that the user chose), in kilometers.
    case distance
    /// The direction of the quake from the nearest site, in degrees clockwise from north.
    case bearing
    /// The name of the nearest site.
    case site
    /// The estimated intensity at the nearest site: see ``/QuakeModel/EstimatedIntensity``.
    case intensity
    /// The regions of the place: see ``/QuakeModel/Quake/regions``. Written only on request.
    case region
    case nearestCity
    /// The distance along the surface to the nearest city, in kilometers.
    case nearestCityDistance
    /// The direction of the quake from the nearest city, in degrees clockwise from north.
    case nearestCityBearing
    /// The origin time in the chosen time zone: `2021-07-22 22:39:44`, which spreadsheets recognize as a time.
    case localTime

    /// The properties, in output order.
    package static let properties = QuakeProperty.allCases.map(QuakeField.property)
    /// The fields that need a site.
    package static let relative: [QuakeField] = [.distance, .bearing, .intensity, .site]
    /// The fields of the nearest city, written only on request.
    package static let city: [QuakeField] = [.nearestCity, .nearestCityDistance, .nearestCityBearing]
    package static let all = properties + [.region] + relative + city + [.localTime]
    /// The fields added after the order of the columns was fixed, oldest first. They come last, so that no other column
    /// moves. Add new properties here, too.
    package static let laterAdditions: [QuakeField] = [.site]

    /// The name in the `--fields` option and in the output.
    package var name: String {
        switch self {
        case .property(let property): property.rawValue
        case .distance: "distance"
        case .bearing: "bearing"
        case .site: "site"
        case .intensity: "intensity"
        case .region: "region"
        case .nearestCity: "nearest_city"
        case .nearestCityDistance: "nearest_city_distance"
        case .nearestCityBearing: "nearest_city_bearing"
        case .localTime: "local_time"
        }
    }

    /// The property; nil for a computed field.
    package var property: QuakeProperty? { if case .property(let property) = self { property } else { nil } }

    /// The properties from which the value follows.
    package var sources: [QuakeProperty] {
        switch self {
        case .property(let property): [property]
        case .distance, .bearing, .site, .nearestCity, .nearestCityDistance, .nearestCityBearing: [.lat, .lon]
        case .intensity: [.lat, .lon, .mag, .depth]
        case .region: [.place, .lon]
        case .localTime: [.time]
        }
    }

    package var isRelative: Bool { QuakeField.relative.contains(self) }
}

extension [QuakeField] {
    /// These fields, with ``QuakeField/laterAdditions`` last.
    package var inColumnOrder: [QuakeField] {
        filter { !QuakeField.laterAdditions.contains($0) } + QuakeField.laterAdditions.filter { contains($0) }
    }
}
