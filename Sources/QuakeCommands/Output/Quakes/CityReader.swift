import QuakeModel
import QuakePlaces

/// Finds the city nearest to an epicenter. The list of cities is unpacked on first use.
final class CityReader {
    private lazy var cities = NearestCity()
    private var last: (epicenter: GeographicPoint, city: Site?)?

    /// Returns the nearest city, named with its state or country.
    func reference(nearestTo epicenter: GeographicPoint) -> Site? {
        if let last, last.epicenter == epicenter { return last.city }
        let city = cities.city(to: epicenter)
            .map { Site(point: $0.point, origin: .near, city: $0.description) }
        last = (epicenter, city)
        return city
    }
}
