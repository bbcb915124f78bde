import Glibc
public import QuakeModel

/// Finds the nearest city. Create one value for many points, because it unpacks all cities, which takes a few
/// milliseconds and 2 MB.
public struct NearestCity {
    private struct Site {
        /// The point on the unit sphere.
        let x, y, z: Double
        let entry: Gazetteer.Entry

        /// Returns the square of the straight-line distance between two points.
        func squaredChord(to other: (x: Double, y: Double, z: Double)) -> Double {
            let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
            return dx * dx + dy * dy + dz * dz
        }
    }

    private let gazetteer = Gazetteer()
    private let regions: [Gazetteer.Region]
    /// The cities in each degree of latitude, starting at the South Pole.
    private var bands: [[Site]] = Array(repeating: [], count: 180)

    public init() {
        regions = gazetteer.regions
        gazetteer.forEachEntry { entry in
            guard !entry.isOtherName else { return true }
            let (x, y, z) = Self.vector(entry.point)
            bands[Self.band(entry.point.latitude)].append(Site(x: x, y: y, z: z, entry: entry))
            return true
        }
    }

    /// Returns the city whose center is nearest to `point`; nil if a coordinate of `point` is not finite.
    public func city(to point: GeographicPoint) -> City? {
        guard point.latitude.isFinite, point.longitude.isFinite else { return nil }
        let vector = Self.vector(point)
        let own = Self.band(point.latitude)
        var best: (site: Site, square: Double)?
        for distance in bands.indices {
            // Every city in these bands is at least this far away.
            let chord = 2 * sin(Double(max(0, distance - 1)) * .pi / 360)
            if let best, chord * chord > best.square { break }
            for band in Set([own - distance, own + distance]) where bands.indices.contains(band) {
                for site in bands[band] {
                    let square = site.squaredChord(to: vector)
                    if square < best?.square ?? .infinity { best = (site, square) }
                }
            }
        }
        return best.map { gazetteer.city($0.site.entry, in: regions) }
    }

    private static func band(_ latitude: Double) -> Int { Int(min(max(latitude, -90), 89.999) + 90) }

    private static func vector(_ point: GeographicPoint) -> (x: Double, y: Double, z: Double) {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
