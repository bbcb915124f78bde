package import QuakeModel
import QuakePlaces

/// Values of a quake's preferred solution that are not in the feeds, under their names in the output.
package enum PreferredOriginField: String, CaseIterable, Sendable {
    /// The uncertainty of the epicenter in kilometers.
    case horizontalError = "horizontal_error"
    /// The uncertainty of the depth in kilometers.
    case depthError = "depth_error"
    case magError = "mag_error"
    /// The number of stations that the magnitude is computed from.
    case magNst = "mag_nst"
    /// The network that located the quake.
    case locationSource = "location_source"
    /// The network that computed the magnitude.
    case magSource = "mag_source"

    /// The corresponding field in a version of the origin.
    fileprivate var solution: SolutionField {
        switch self {
        case .horizontalError: .horizontalError
        case .depthError: .verticalError
        case .magError: .magError
        case .magNst: .magNst
        case .locationSource: .locationSource
        case .magSource: .magSource
        }
    }

    var isText: Bool { solution.kind == .text }
}

/// Reads values of the preferred solutions, one quake at a time.
final class SolvedReader {
    private let solutions: (String) -> SolutionHistory?
    private let texts = CachedStrings()
    private var id = ""
    private var preferred: SolutionVersion?

    init(_ solutions: @escaping (String) -> SolutionHistory?) { self.solutions = solutions }

    func value(of field: PreferredOriginField, id bytes: FieldValue) -> FieldValue {
        guard case .text(let bytes) = bytes else { return .null }
        if !id.utf8.elementsEqual(bytes) {
            id = String(decoding: bytes, as: UTF8.self)
            preferred = solutions(id)?[.origins].preferred
        }
        return switch preferred?[field.solution] ?? .null {
        case .text(let text): texts.field(text)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .null: .null
        }
    }
}

/// Texts that fields can point to during the lifetime of this object, without duplicates.
final class CachedStrings {
    private var held: [String: UnsafeMutableBufferPointer<UInt8>] = [:]

    deinit { for bytes in held.values { bytes.deallocate() } }

    /// Returns the field for `text`; null if it is empty.
    func field(_ text: String) -> FieldValue {
        guard !text.isEmpty else { return .null }
        if let bytes = held[text] { return .text(UnsafeBufferPointer(bytes)) }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        held[text] = bytes
        return .text(UnsafeBufferPointer(bytes))
    }
}

/// Finds the nearest city, one quake at a time. The cities are unpacked for the first quake.
package final class CityReader {
    private lazy var cities = NearestCity()
    private var last: (epicenter: GeographicPoint, city: City?)?
    private let texts = CachedStrings()

    package init() {}

    /// Returns the name of the city with its state or country.
    func name(nearestTo epicenter: GeographicPoint) -> FieldValue {
        city(nearestTo: epicenter).map { texts.field($0.description) } ?? .null
    }

    package func reference(nearestTo epicenter: GeographicPoint) -> ReferencePoint? {
        city(nearestTo: epicenter).map { ReferencePoint(point: $0.point, origin: .near, city: $0.description) }
    }

    private func city(nearestTo epicenter: GeographicPoint) -> City? {
        if let last, last.epicenter == epicenter { return last.city }
        let city = cities.city(to: epicenter)
        last = (epicenter, city)
        return city
    }
}

/// Finds the regions of places. The last part of each name is looked up only once, because most quakes in a list share
/// a few of these parts.
final class RegionReader {
    private let texts = CachedStrings()
    /// The regions for the last parts seen so far.
    private var known: [String: FieldValue] = [:]

    func regions(of place: FieldValue, longitude: Double) -> FieldValue {
        guard case .text(let name) = place else { return .null }
        let part = Region.lastPart(of: String(decoding: name, as: UTF8.self), longitude: longitude)
        if let field = known[part] { return field }
        let field = texts.field(Region.names(ofPart: part).joined(separator: ", "))
        known[part] = field
        return field
    }
}
