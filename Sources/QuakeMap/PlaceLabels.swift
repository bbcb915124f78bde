import Glibc
import QuakeModel

/// The names on a map, placed without overlaps. The page's labels.js follows the same rules.
struct PlaceLabels {
    struct Label {
        var text: String
        /// The left end of the text, at half its height.
        var x: Double
        var y: Double
        /// The dot of a city; nil for a country or a state.
        var dot: (x: Double, y: Double)?
    }

    private(set) var labels: [Label] = []
    private var taken: [ClipRectangle] = []
    private let window: MapWindow

    /// The approximate width of a letter in pixels, because no font is available to measure.
    private static let letter = (city: 6.7, region: 9.2)

    /// Places the names in a window; the rectangles in `keptClear` are kept free of names.
    init(_ window: MapWindow, keepingClear keptClear: [ClipRectangle]) {
        self.window = window
        taken = keptClear
        let places = Places()
        let scale = window.unitsPerDegree
        for region in places.regions.sorted(by: { $0.width > $1.width }) where region.width > 0 {
            if !region.isState, scale < 30 { add(region, room: 1.2) }
            if region.isState, scale > 14, scale < 120 { add(region, room: 1.6) }
        }
        let finest = Int(log2(scale * 0.11).rounded(.down))
        for city in places.cities.prefix(while: { $0.rank <= finest }) { add(city) }
    }

    private mutating func add(_ region: Places.Region, room: Double) {
        let (x, y) = window.position(of: region.point)
        let half = Double(region.name.count) * PlaceLabels.letter.region / 2 + 4
        let box = ClipRectangle(left: x - half, top: y - 9, right: x + half, bottom: y + 9)
        guard 2 * half <= region.width * window.unitsPerDegree * room, isFree(box) else { return }
        taken.append(box)
        labels.append(Label(text: region.name, x: box.left + 4, y: y))
    }

    private mutating func add(_ city: Places.City) {
        let (x, y) = window.position(of: city.point)
        let wide = Double(city.name.count) * PlaceLabels.letter.city
        let spot = ClipRectangle(left: x - 3, top: y - 3, right: x + 3, bottom: y + 3)
        guard isFree(spot) else { return }
        let right = ClipRectangle(left: x + 5, top: y - 8, right: x + 9 + wide, bottom: y + 8)
        let left = ClipRectangle(left: x - 9 - wide, top: y - 8, right: x - 5, bottom: y + 8)
        let above = ClipRectangle(left: x - wide / 2 - 2, top: y - 20, right: x + wide / 2 + 2, bottom: y - 4)
        guard let box = [right, left, above].first(where: isFree) else { return }
        taken += [box, spot]
        labels.append(Label(text: city.name, x: box.left + 2, y: (box.top + box.bottom) / 2, dot: (x, y)))
    }

    /// Returns whether a rectangle lies in the window and overlaps nothing.
    private func isFree(_ box: ClipRectangle) -> Bool {
        box.left > 0 && box.top > 0 && box.right < window.width && box.bottom < window.height
            && taken.allSatisfy { other in
                other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom
            }
    }
}
