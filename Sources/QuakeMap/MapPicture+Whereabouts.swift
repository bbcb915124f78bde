import QuakeModel

extension MapPicture.Scope {
    /// Where it lies, in words: `around Japan` for a box, by the country or state whose name stands nearest to its
    /// middle, and `near Hilo, Hawaii` for a circle and for a box with no such name. Nil for a box wider than 60
    /// degrees, which no name describes.
    public var whereabouts: String? {
        let places = Places()
        let middle: GeographicPoint
        switch self {
        case .circle(let center, _): middle = center
        case .box(let box):
            let bounds = MapBounds(box)
            guard bounds.east - bounds.west <= 60 else { return nil }
            middle = GeographicPoint(
                latitude: (bounds.south + bounds.north) / 2, longitude: (bounds.west + bounds.east) / 2)
            let regions = places.regions.filter { $0.width > 0 && bounds.contains($0.point) }
            if let region = regions.nearest(to: middle, by: \.point) { return "around \(region.name)" }
        }
        return places.cities.nearest(to: middle, by: \.point).map {
            "near \($0.name), \(places.regions[$0.region].name)"
        }
    }
}

extension Array {
    fileprivate func nearest(to point: GeographicPoint, by place: (Element) -> GeographicPoint) -> Element? {
        let distances = map { place($0).distanceKilometers(to: point) }
        return zip(self, distances).min { $0.1 < $1.1 }?.0
    }
}
