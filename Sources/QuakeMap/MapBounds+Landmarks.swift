import Glibc
import QuakeModel

extension MapBounds {
    /// Creates the bounds of a map of quakes. The map always shows a coast or a city. It spans at least 400 km for a
    /// single quake, and at least 100 km for several.
    init(ofQuakesAt points: some Collection<GeographicPoint>) {
        let fit = MapBounds(fitting: points)
        let tight = fit.spanning(kilometers: points.count == 1 ? 400 : 100)
        let landmarks = tight.hasCoarseCoast ? nil : Landmarks(width: tight.width)
        let isBare = landmarks.map { !$0.isAny(in: tight) } ?? false
        self = isBare ? fit.spanning(kilometers: 400).reachingLandmark() : tight
    }

    private var width: Double { east - west }
    /// Whether the bounds are at least 4 degrees wide and contain a coast of the coarse outlines. These outlines are up
    /// to 20 km off, too much for a narrower map.
    private var hasCoarseCoast: Bool { width >= 4 && Landmarks.isCoast(in: self) }

    /// Returns these bounds, extended to the nearest coast or city unless they contain one.
    func reachingLandmark() -> MapBounds {
        if hasCoarseCoast { return self }
        let landmarks = Landmarks(width: width)
        let center = GeographicPoint(
            latitude: (south + north) / 2, longitude: MapBounds.wrapped((west + east) / 2, from: -180))
        guard !landmarks.isAny(in: self), let nearest = landmarks.nearest(to: center) else { return self }
        return including(nearest, margin: center.distanceKilometers(to: nearest) / 111.195 * MapBounds.margin.share)
    }

    /// Returns these bounds, extended to `kilometers` from west to east and from south to north.
    private func spanning(kilometers: Double) -> MapBounds {
        let degrees = kilometers / 111.195
        let high = max(north - south, degrees)
        // At a pole, the map can only grow away from the pole.
        let low = min(max((south + north - high) / 2, -90), 90 - high)
        // Near a pole, all longitudes are close together.
        let wide = max(width, min(degrees / max(cos((low + high / 2) * .pi / 180), 0.01), 360))
        return MapBounds(west: (west + east - wide) / 2, width: wide, south: low, north: low + high)
    }

    /// Returns these bounds, extended to a point and a margin around it. If the result would leave out only a small gap
    /// in longitude, returns the whole world instead.
    private func including(_ point: GeographicPoint, margin: Double) -> MapBounds {
        let margin = max(margin, MapBounds.margin.degrees)
        let south = max(min(south, point.latitude - margin), -90)
        let north = min(max(north, point.latitude + margin), 90)
        let toEast = MapBounds.wrapped(point.longitude, from: west) - east + margin
        let toWest = west - MapBounds.wrapped(point.longitude, from: east - 360) + margin
        let growth = max(min(toEast, toWest), 0)
        if width < 360, width + growth > 360 - MapBounds.minimumGap {
            return MapBounds.world.including(latitudes: south...north)
        }
        return MapBounds(
            west: toWest < toEast ? west - growth : west, width: width + growth, south: south, north: north)
    }
}
