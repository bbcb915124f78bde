import QuakeFormats
import QuakeModel
import QuakePlaces

/// Reads the fields of a row. Fields other than properties are computed.
final class FieldReader {
    /// The properties to fetch: the requested properties, and any needed for computed fields or other purposes.
    let properties: [QuakeProperty]
    /// Whether any field is computed. Otherwise, each field is the property at the same index.
    let isComputing: Bool
    private let fields: [QuakeField]
    /// For each field, the positions of its ``QuakeField/sources`` in ``properties``.
    private let positions: [[Int]]
    private let display: DisplayStyle
    private let cities = CityReader()
    private let texts = CachedStrings()
    /// The quake of the row, as far as computed fields need it.
    private var quake = Quake.blank

    /// Creates a reader of `fields` that also fetches `others`. Fields that need a missing site are null.
    init(_ fields: [QuakeField], _ display: DisplayStyle, others: [QuakeProperty] = []) {
        self.fields = fields
        self.display = display
        let requested = fields.compactMap(\.property)
        isComputing = requested.count < fields.count
        let needed = Set(fields.flatMap(\.sources) + others).subtracting(requested)
        let properties = requested + QuakeProperty.allCases.filter(needed.contains)
        positions = fields.map { field in field.sources.compactMap { properties.firstIndex(of: $0) } }
        self.properties = properties
    }

    /// Returns the value of the field at `index`. `stored` returns the property at an index of ``properties``.
    func value(at index: Int, _ stored: (Int) -> FieldValue) -> FieldValue {
        let field = fields[index]
        let positions = positions[index]
        if field.property != nil { return stored(positions[0]) }
        for (property, position) in zip(field.sources, positions) {
            quake.set(property, to: QuakeValue(copying: stored(position)))
        }
        return texts.field(display.value(of: field, of: quake, cities: cities))
    }
}

/// Texts that fields can point to during the lifetime of this object, without duplicates.
private final class CachedStrings {
    private var held: [String: UnsafeMutableBufferPointer<UInt8>] = [:]

    deinit { for bytes in held.values { bytes.deallocate() } }

    /// Returns the field for `value`; null if it is an empty text.
    func field(_ value: QuakeValue) -> FieldValue {
        switch value {
        case .null, .text(""): return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let text):
            if let bytes = held[text] { return .text(UnsafeBufferPointer(bytes)) }
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
            _ = bytes.initialize(from: text.utf8)
            held[text] = bytes
            return .text(UnsafeBufferPointer(bytes))
        }
    }
}

extension DisplayStyle {
    /// Returns the value of `field` for `quake`. To find cities for many quakes, pass one reader for all of them.
    func value(of field: QuakeField, of quake: Quake, cities: CityReader? = nil) -> QuakeValue {
        let epicenter = quake.epicenter
        func city() -> Site? { (cities ?? CityReader()).reference(nearestTo: epicenter) }
        return switch field {
        case .property(let property): quake[property]
        case .distance: QuakeValue(sites.nearest(to: epicenter)?.distance(to: epicenter))
        case .bearing: QuakeValue(sites.nearest(to: epicenter)?.bearing(to: epicenter))
        case .intensity: QuakeValue(sites.nearest(to: epicenter)?.intensity(of: quake))
        case .site: QuakeValue(sites.nearest(to: epicenter)?.name)
        case .region: QuakeValue(Region.text(ofPlace: quake.place, longitude: epicenter.longitude))
        case .nearestCity: QuakeValue(city()?.name)
        case .nearestCityDistance: QuakeValue(city()?.distance(to: epicenter))
        case .nearestCityBearing: QuakeValue(city()?.bearing(to: epicenter))
        case .localTime: quake[.time]
        }
    }
}
