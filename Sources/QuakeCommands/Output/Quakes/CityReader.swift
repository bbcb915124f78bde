import QuakeModel
import QuakePlaces

/// Finds the nearest city, one quake at a time. The cities are unpacked for the first quake.
final class CityReader {
    private lazy var cities = NearestCity()
    private var last: (epicenter: GeographicPoint, city: Site?)?

    /// Returns the city, named with its state or country.
    func reference(nearestTo epicenter: GeographicPoint) -> Site? {
        if let last, last.epicenter == epicenter { return last.city }
        let city = cities.city(to: epicenter)
            .map { Site(point: $0.point, origin: .near, city: $0.description) }
        last = (epicenter, city)
        return city
    }
}
