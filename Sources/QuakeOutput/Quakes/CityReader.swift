package import QuakeModel
import QuakePlaces

/// The nearest city of one quake after the other. The cities are unpacked when the first quake asks.
package final class CityReader {
    private lazy var cities = NearestCity()
    private var last: (epicenter: GeographicPoint, city: City?)?
    /// The last name as bytes, which a field may point to until the next one.
    private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

    /// Nothing is unpacked yet.
    package init() {}

    deinit { bytes.deallocate() }

    /// The name of the city with its state or country.
    func name(nearestTo epicenter: GeographicPoint) -> FieldValue {
        guard let city = city(nearestTo: epicenter) else { return .null }
        bytes.deallocate()
        let text = Array(city.description.utf8)
        bytes = .allocate(capacity: text.count)
        _ = bytes.initialize(from: text)
        return .text(UnsafeBufferPointer(bytes))
    }

    /// The city as a point to measure from.
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
