import QuakeFormats
import QuakeModel
import QuakePlaces

/// Reads the fields of a row: properties as they are stored, and other fields by computing them.
final class FieldReader {
    /// The properties to fetch: the requested ones, those needed to compute fields, and others that the caller needs.
    let properties: [QuakeProperty]
    /// Whether any field is computed. If not, each field is the property at the same index.
    let computesFields: Bool
    private let fields: [QuakeField]
    /// For each field, the positions of its ``QuakeField/sources`` in ``properties``.
    private let positions: [[Int]]
    private let display: DisplayStyle
    private let cities = CityReader()
    private let texts = HeldTexts()
    /// The quake of the row, with the properties that computed fields need.
    private var quake = Quake.blank

    /// Creates a reader of `fields` that also fetches `others`. Fields that need a site are null if `display` has none.
    init(_ fields: [QuakeField], _ display: DisplayStyle, others: [QuakeProperty] = []) {
        self.fields = fields
        self.display = display
        let requested = fields.compactMap(\.property)
        computesFields = requested.count < fields.count
        let needed = Set(fields.flatMap(\.sources) + others).subtracting(requested)
        let properties = requested + QuakeProperty.allCases.filter(needed.contains)
        positions = fields.map { field in field.sources.compactMap { properties.firstIndex(of: $0) } }
        self.properties = properties
    }

    /// Returns the value of the field at `index`. `stored` returns the stored property at an index of ``properties``.
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

/// Strings that field values can point to while this object exists, without duplicates.
private final class HeldTexts {
    private var held: [String: UnsafeMutableBufferPointer<UInt8>] = [:]

    deinit { for bytes in held.values { bytes.deallocate() } }

    /// Returns the field value for `value`; null for empty text.
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
    /// Returns the value of `field` for `quake`. For many quakes, pass one `cities`, which unpacks the list of cities
    /// only once.
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
