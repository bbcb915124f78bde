import QuakeModel

/// Bounds placed on a rectangle, in units such as pixels or dots, with the origin at the top left.
struct MapWindow {
    let bounds: MapBounds
    let width: Double
    let height: Double
    private let scale: Double
    private let top: Double

    /// Creates the largest rectangle within `width` × `height` for `bounds`, which are extended to that shape.
    init(_ bounds: MapBounds, width: Double, height: Double) {
        self.bounds = bounds.filling(aspect: width / height)
        let size = self.bounds.size
        scale = min(width / size.width, height / size.height)
        self.width = size.width * scale
        self.height = size.height * scale
        top = MapProjection.height(ofLatitude: self.bounds.north)
    }

    /// The number of units per degree of longitude.
    var unitsPerDegree: Double { scale }

    func position(of point: GeographicPoint) -> (x: Double, y: Double) {
        (x(of: MapBounds.wrapped(point.longitude, from: bounds.west)), y(of: point.latitude))
    }

    /// Returns the horizontal position of `longitude`, which continues beyond 180° like the bounds.
    func x(of longitude: Double) -> Double { (longitude - bounds.west) * scale }

    func y(of latitude: Double) -> Double { (top - MapProjection.height(ofLatitude: latitude)) * scale }

    /// Returns the degrees to mark: multiples of a round step, chosen to give at most about `count` marks.
    func marks(from start: Double, to end: Double, count: Int) -> [Double] {
        let rough = (end - start) / Double(max(count, 1))
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 90].first { $0 >= rough } ?? 90
        let first = Int((start / step).rounded(.up))
        let last = Int((end / step).rounded(.down))
        return first <= last ? (first...last).map { Double($0) * step } : []
    }

    /// The level of detail in dots: fine for windows up to 150 degrees wide.
    var detailInDots: Outlines.Detail { bounds.east - bounds.west > 150 ? .coarse : .fine }

    /// The level of detail in pixels: near for windows less than 60 degrees wide, except for Antarctica.
    var detail: Outlines.Detail {
        bounds.east - bounds.west < 60 && bounds.south >= Outlines.nearSouthEdge ? .near : detailInDots
    }
}

/// Returns a longitude or latitude as labeled at the edge of a map: `150°W`, `12.5°N`, `180°`, `0°`.
func degreesText(_ value: Double, positive: String, negative: String) -> String {
    let number = PlainNumber.text(abs(value), decimals: 1)
    return number == "0" || number == "180" ? number + "°" : number + "°" + (value < 0 ? negative : positive)
}

/// Returns the label for a longitude, which may lie beyond 180°.
func longitudeText(_ longitude: Double) -> String {
    degreesText(MapBounds.wrapped(longitude, from: -180), positive: "E", negative: "W")
}

func latitudeText(_ latitude: Double) -> String { degreesText(latitude, positive: "N", negative: "S") }
