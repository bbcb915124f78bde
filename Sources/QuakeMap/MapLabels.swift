import Glibc
import QuakeModel

/// The names on a map, placed where they cover few quakes: first those of quakes, then those of places. The page's
/// labels.js follows the same rules.
struct MapLabels {
    enum Kind { case selection, quake, region, city }

    struct Label {
        var text: String
        var kind: Kind
        /// The left end of the text, at half its height.
        var x: Double
        var y: Double
        /// The dot of a city.
        var dot: ClipRectangle.Point?
    }

    private(set) var labels: [Label] = []
    private var taken: [ClipRectangle]
    private var cells: MapCells
    private let window: MapWindow
    private let factor: Double
    private let places = Places()
    /// The quakes in the window.
    private var spots: [Spot] = []
    /// The area of the quakes in the window by the number of the region, and the largest of these quakes.
    private var shaken: [Int: (area: Double, largest: Spot)] = [:]

    /// A quake in the window.
    private struct Spot {
        var index: Int
        var magnitude: Double
        var x: Double
        var y: Double
        var reach: Double
    }

    /// A place for a name, and the pixels that it is away from the first choice.
    private struct Choice {
        var box: ClipRectangle
        var away: Double
    }

    /// The number of regions that are named although their names are wider than they are.
    private static let mostNamed = 24
    /// The extent of quakes that no unimportant name covers.
    private static let mostCovered = 40.0
    /// The distance in pixels between two labeled quakes.
    private static let leastApart = 60.0

    /// Places the names on a map whose circles are scaled by `factor`, outside the rectangles in `keptClear`.
    init(_ picture: MapPicture, _ window: MapWindow, factor: Double, keepingClear keptClear: [ClipRectangle]) {
        self.window = window
        self.factor = factor
        taken = keptClear
        cells = MapCells(window)
        weigh(picture)
        addQuakes(picture)
        let scale = window.unitsPerDegree
        if scale < 30 {
            cells.markLand(Outlines(.coarse).coastlines, window)
            addRegions(areStates: false, room: 1.2)
        }
        if scale > 14, scale < 120 { addRegions(areStates: true, room: 1.6) }
        addCities()
    }

    /// The approximate width of a letter in pixels, because no font is available to measure.
    private static func letter(_ kind: Kind) -> Double {
        switch kind {
        case .selection: 9
        case .quake: 7.8
        case .region: 9.2
        case .city: 6.7
        }
    }

    private static func halfWidth(_ text: String, _ kind: Kind) -> Double {
        Double(text.count) * letter(kind) / 2 + 2
    }

    /// Notes where the quakes lie, and in which regions.
    private mutating func weigh(_ picture: MapPicture) {
        var numbersByName: [String: [Int]] = [:]
        let union = places.regions.firstIndex { $0.name == "United States" }
        for (number, region) in places.regions.enumerated() {
            let isCaucasian = region.name == "Georgia" && !region.isState
            let name = isCaucasian ? Region.georgiaInTheCaucasus : region.name
            numbersByName[name] = [number] + (region.isState ? [union].compactMap(\.self) : [])
        }
        var numbersByPart: [String: [Int]] = [:]
        for (index, quake) in picture.quakes.enumerated() where window.bounds.contains(quake.epicenter) {
            let (x, y) = window.position(of: quake.epicenter)
            let reach = MapScale.radius(quake.magnitude) * factor
            let spot = Spot(index: index, magnitude: quake.magnitude ?? -9, x: x, y: y, reach: reach)
            spots.append(spot)
            cells.add(x: x, y: y, reach: reach)
            guard let place = quake.place else { continue }
            // There are far fewer parts than quakes.
            let part = Region.lastPart(of: place, longitude: quake.hypocenter.longitude)
            let numbers = numbersByPart[part] ?? Region.names(ofPart: part).flatMap { numbersByName[$0] ?? [] }
            numbersByPart[part] = numbers
            for number in numbers {
                var sum = shaken[number] ?? (0, spot)
                sum.area += reach * reach
                if reach > sum.largest.reach { sum.largest = spot }
                shaken[number] = sum
            }
        }
    }

    /// Returns the best of the free boxes in the window: it covers few quakes and is close to the first choice.
    private func best(_ choices: [Choice], limit: Double = .infinity, avoidsLand: Bool = false) -> ClipRectangle? {
        var least = limit
        var found: ClipRectangle?
        for choice in choices where isFree(choice.box) {
            var cost = cells.extent(in: choice.box) + choice.away
            if avoidsLand, choice.away > 4 { cost += 12 * cells.land(in: choice.box) }
            if cost < least { (least, found) = (cost, choice.box) }
        }
        return found
    }

    /// Returns whether a rectangle lies in the window and overlaps nothing.
    private func isFree(_ box: ClipRectangle) -> Bool {
        box.left > 0 && box.top > 0 && box.right < window.width && box.bottom < window.height
            && taken.allSatisfy { other in
                other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom
            }
    }

    private func box(x: Double, y: Double, halfWidth: Double, halfHeight: Double) -> ClipRectangle {
        ClipRectangle(left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight)
    }

    /// Returns the places for a name beside a point: right, left, above, below.
    private func beside(x: Double, y: Double, reach: Double, _ text: String, _ kind: Kind) -> [Choice] {
        let half = MapLabels.halfWidth(text, kind)
        let high = kind == .city ? 8.0 : 9
        return [(reach + half, 0), (-reach - half, 0), (0, -reach - high), (0, reach + high)].enumerated().map {
            Choice(
                box: box(x: x + $1.0, y: y + $1.1, halfWidth: half, halfHeight: high), away: Double(2 * $0))
        }
    }

    private mutating func add(_ text: String, _ kind: Kind, in box: ClipRectangle, dot: ClipRectangle.Point? = nil) {
        taken.append(box)
        labels.append(Label(text: text, kind: kind, x: box.left + 2, y: (box.top + box.bottom) / 2, dot: dot))
    }

    // MARK: Quakes

    /// Adds the names of the selected quake and of the three largest, but only of the largest of several at one place.
    private mutating func addQuakes(_ picture: MapPicture) {
        let selected = picture.selected.flatMap { one in picture.quakes.firstIndex { $0.id == one.id } }
        if let spot = spots.first(where: { $0.index == selected }) {
            _ = add(spot, MapLabels.fullName(picture.quakes[spot.index]), .selection)
        }
        var named: [Spot] = []
        var left = 3
        // A quake beside which there is no room is passed over.
        while left > 0, named.count < 9, let spot = largest(apartFrom: named) {
            named.append(spot)
            if spot.index == selected || add(spot, MapLabels.shortName(picture.quakes[spot.index]), .quake) {
                left -= 1
            }
        }
    }

    private func largest(apartFrom named: [Spot]) -> Spot? {
        var first: Spot?
        for spot in spots where spot.magnitude > first?.magnitude ?? -.infinity {
            if named.allSatisfy({ hypot($0.x - spot.x, $0.y - spot.y) > MapLabels.leastApart }) { first = spot }
        }
        return first
    }

    /// Adds the name of a quake and returns whether there was room for it.
    private mutating func add(_ spot: Spot, _ text: String, _ kind: Kind) -> Bool {
        let text = text.count > 50 ? text.prefix(49) + "…" : text
        let reach = spot.reach + (kind == .selection ? 8 : 4)
        let choices = beside(x: spot.x, y: spot.y, reach: reach + 3, text, kind)
        let sides = choices.map(\.box)
        let box = best(choices) ?? (kind == .selection ? sides[spot.x > window.width / 2 ? 1 : 0] : nil)
        taken.append(self.box(x: spot.x, y: spot.y, halfWidth: reach, halfHeight: reach))
        guard let box else { return false }
        add(text, kind, in: box)
        return true
    }

    private static func fullName(_ quake: Quake) -> String {
        "M \(Quake.titleMagnitude(quake.magnitude)) \(quake.describedPlace ?? quake.id)"
    }

    /// Returns a quake's magnitude and place, without the distance: `M 7.3 Port-Vila, Vanuatu`.
    static func shortName(_ quake: Quake) -> String {
        var shown = quake
        if var place = quake.place {
            let start = place.prefixMatch(of: #/[\d.]+ ?km \w+ of |\d{4} /#)?.range.upperBound ?? place.startIndex
            place = String(place[start...])
            if place.lowercased().hasSuffix(" earthquake") { place.removeLast(" earthquake".count) }
            shown.place = place
        }
        return fullName(shown)
    }

    // MARK: Places

    /// Adds the names of countries or states, those with quakes first. A name wider than its country may stand beside
    /// it, in the sea. A region without quakes is named if the name is at most `room` times as wide as the region.
    private mutating func addRegions(areStates: Bool, room: Double) {
        let area = { [shaken] (number: Int) in shaken[number]?.area ?? 0 }
        let regions = places.regions
        let numbers = regions.indices.filter { regions[$0].isState == areStates }
        let ordered = numbers.filter { area($0) > 0 || regions[$0].width > 0 }
            .sorted { (area($0), regions[$0].width) > (area($1), regions[$1].width) }
        for (rank, number) in ordered.enumerated() {
            let region = regions[number]
            var (x, y) = window.position(of: region.point)
            let isInside = window.bounds.contains(region.point)
            if !isInside {
                guard let spot = shaken[number]?.largest, !areStates else { continue }
                (x, y) = (spot.x, spot.y)
            }
            let half = MapLabels.halfWidth(region.name, .region)
            let side = region.width * window.unitsPerDegree / 2
            let isNamed = area(number) > 0 && rank < MapLabels.mostNamed
            if !isNamed, half > side * room { continue }
            let choices = around(x: x, y: y, aside: half > side ? side + half + 4 : 0.6 * side, halfWidth: half)
            let limit = !isNamed ? MapLabels.mostCovered : rank < 8 ? .infinity : 3 * MapLabels.mostCovered
            if let box = best(choices, limit: limit, avoidsLand: half > side) { add(region.name, .region, in: box) }
        }
    }

    /// Returns the places for the name of a region: at a point, and around it.
    private func around(x: Double, y: Double, aside: Double, halfWidth: Double) -> [Choice] {
        var choices: [Choice] = []
        for dx in [0, aside, -aside] {
            for dy in dx == 0 ? [0, -15, 15, -30, 30] : [0.0, -15, 15] {
                let box = box(x: x + dx, y: y + dy, halfWidth: halfWidth, halfHeight: 9)
                choices.append(Choice(box: box, away: (abs(dx) + abs(dy)) / 4))
            }
        }
        return choices
    }

    /// Adds the names of cities, of those of one rank first the ones near quakes.
    private mutating func addCities() {
        let finest = Places.finestRank(unitsPerDegree: window.unitsPerDegree)
        let cities = places.cities.prefix { $0.rank <= finest }.filter { window.bounds.contains($0.point) }
        let near = cities.map { city in
            let (x, y) = window.position(of: city.point)
            return cells.extent(in: box(x: x, y: y, halfWidth: 24, halfHeight: 24))
        }
        for number in cities.indices.sorted(by: { (cities[$0].rank, -near[$0]) < (cities[$1].rank, -near[$1]) }) {
            let city = cities[number]
            let (x, y) = window.position(of: city.point)
            let spot = box(x: x, y: y, halfWidth: 3, halfHeight: 3)
            guard isFree(spot) else { continue }
            let limit = city.rank < max(finest - 1, 1) ? .infinity : MapLabels.mostCovered
            guard let box = best(beside(x: x, y: y, reach: 5, city.name, .city), limit: limit) else { continue }
            taken.append(spot)
            add(city.name, .city, in: box, dot: (x, y))
        }
    }
}
