import Glibc
public import QuakeModel

/// Finds the nearest city. Reuse one value for many points: its creation unpacks all cities, which takes a few
/// milliseconds and 2 MB.
public struct NearestCity {
    private let gazetteer = Gazetteer()
    private let regions: [Gazetteer.Region]
    /// The cities in each degree of latitude, starting at the South Pole, with their points on the unit sphere.
    private var bands: [[(vector: SIMD3<Double>, entry: Gazetteer.Entry)]] = Array(repeating: [], count: 180)

    public init() {
        regions = gazetteer.regions
        for entry in gazetteer.entries() where !entry.isOtherName {
            bands[Self.band(entry.point.latitude)].append((Self.vector(entry.point), entry))
        }
    }

    /// Returns the city whose center is nearest to `point`; nil if a coordinate of `point` is not finite.
    public func city(to point: GeographicPoint) -> City? {
        guard point.latitude.isFinite, point.longitude.isFinite else { return nil }
        let vector = Self.vector(point)
        let own = Self.band(point.latitude)
        var best: (entry: Gazetteer.Entry, square: Double)?
        for distance in bands.indices {
            // Every city in these bands is at least this far away.
            let chord = 2 * sin(Double(max(0, distance - 1)) * .pi / 360)
            if let best, chord * chord > best.square { break }
            for band in Set([own - distance, own + distance]) where bands.indices.contains(band) {
                for (other, entry) in bands[band] {
                    // The square of the straight-line distance.
                    let square = ((other - vector) * (other - vector)).sum()
                    if square < best?.square ?? .infinity { best = (entry, square) }
                }
            }
        }
        return best.map { gazetteer.city($0.entry, in: regions) }
    }

    private static func band(_ latitude: Double) -> Int { Int(min(max(latitude, -90), 89.999) + 90) }

    private static func vector(_ point: GeographicPoint) -> SIMD3<Double> {
        let latitude = point.latitude * .pi / 180
        let longitude = point.longitude * .pi / 180
        return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }
}
