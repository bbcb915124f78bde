import Glibc
import QuakeModel

/// The names of quakes, then of places, on a map where they cover few quakes. The page's labels.js has the same rules.
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
        /// The line that leads from a quake to its name above or below.
        var leader: [ClipRectangle.Point] = []
    }

    private(set) var labels: [Label] = []
    private var takenBoxes: [ClipRectangle]
    private var cells: OccupancyGrid
    private let window: MapWindow
    private let factor: Double
    private let places = Places()
    /// The quakes in the window, in the order of the map's content.
    private var spots: [Spot] = []
    /// The total area of the circles in each region, keyed by the region's index.
    private var circleAreas: [Int: Double] = [:]

    /// A quake in the window.
    private struct Spot {
        var index: Int
        var magnitude: Double
        var x: Double
        var y: Double
        var reach: Double

        func distance(to other: Spot) -> Double { hypot(x - other.x, y - other.y) }
    }

    /// A possible position of a name.
    private struct Choice {
        var box: ClipRectangle
        /// The cost, in pixels, of not being the preferred position.
        var cost: Double
    }

    /// The maximum number of regions with quakes that are named although their names are wider than the regions.
    private static let maximumNamedRegions = 24
    /// The maximum extent of quakes (``OccupancyGrid/extent(in:)``) that an unimportant name may cover.
    private static let maximumCoveredExtent = 40.0
    /// The minimum distance in pixels between two of the three labeled quakes.
    private static let minimumSpacing = 40.0
    /// The number of cities that are named however many quakes their names cover.
    private static let alwaysNamedCities = 3

    /// Places the names on a map whose circles are scaled by `factor`, outside the rectangles in `keptClear`.
    init(_ content: MapContent, _ window: MapWindow, factor: Double, keepingClear keptClear: [ClipRectangle]) {
        self.window = window
        self.factor = factor
        takenBoxes = keptClear
        cells = OccupancyGrid(window)
        measureOccupancy(of: content)
        let cities = citiesInWindow()
        let first = cities.filter { isFree($0.box) }.prefix(MapLabels.alwaysNamedCities)
        takenBoxes += first.map(\.box)
        addQuakes(content)
        for city in first { add(city, limit: .infinity) }
        let scale = window.unitsPerDegree
        if scale < 30 {
            cells.markLand(Outlines(.coarse).coastlines, window)
            addRegions(areStates: false, room: 1.2)
        }
        if scale > 14, scale < 120 { addRegions(areStates: true, room: 1.6) }
        let ordered = cities.sorted { ($0.city.rank, -$0.quakeExtent) < ($1.city.rank, -$1.quakeExtent) }
        for city in ordered where isFree(city.box) { add(city, limit: city.limit) }
    }

    /// The approximate width of a letter in pixels, because no font is available to measure.
    private static func letterWidth(_ kind: Kind) -> Double {
        switch kind {
        case .selection: 9
        case .quake: 7.8
        case .region: 9.2
        case .city: 6.7
        }
    }

    private static func halfWidth(_ text: String, _ kind: Kind) -> Double {
        Double(text.count) * letterWidth(kind) / 2 + 2
    }

    /// Fills ``spots``, ``cells`` and ``circleAreas``.
    private mutating func measureOccupancy(of content: MapContent) {
        var numbersByName: [String: [Int]] = [:]
        let union = places.regions.firstIndex { $0.name == "United States" }
        for (number, region) in places.regions.enumerated() {
            let isCaucasian = region.name == "Georgia" && !region.isState
            let name = isCaucasian ? Region.georgiaInTheCaucasus : region.name
            numbersByName[name] = [number] + (region.isState ? [union].compactMap(\.self) : [])
        }
        var numbersByPart: [String: [Int]] = [:]
        for (index, quake) in content.quakes.enumerated() where window.bounds.contains(quake.epicenter) {
            let (x, y) = window.position(of: quake.epicenter)
            let reach = SymbolScale.radius(quake.magnitude) * factor
            let spot = Spot(index: index, magnitude: quake.magnitude ?? -9, x: x, y: y, reach: reach)
            spots.append(spot)
            cells.add(x: x, y: y, reach: reach)
            guard let place = quake.place else { continue }
            // Each part of a place name is looked up once, because there are far fewer parts than quakes.
            let part = Region.partAfterLastComma(of: place, longitude: quake.hypocenter.longitude)
            let numbers = numbersByPart[part] ?? Region.names(ofPart: part).flatMap { numbersByName[$0] ?? [] }
            numbersByPart[part] = numbers
            for number in numbers { circleAreas[number, default: 0] += reach * reach }
        }
    }

    /// Returns the free box with the lowest cost in covered quakes, distance and (`avoidsLand`) land, if below `limit`.
    private func cheapestBox(_ choices: [Choice], limit: Double = .infinity, avoidsLand: Bool = false) -> ClipRectangle?
    {
        var least = limit
        var found: ClipRectangle?
        for choice in choices where isFree(choice.box) {
            var cost = cells.extent(in: choice.box) + choice.cost
            if avoidsLand, choice.cost > 4 { cost += 12 * cells.land(in: choice.box) }
            if cost < least { (least, found) = (cost, choice.box) }
        }
        return found
    }

    /// Returns whether a rectangle lies in the window and overlaps nothing.
    private func isFree(_ box: ClipRectangle) -> Bool {
        box.left > 0 && box.top > 0 && box.right < window.width && box.bottom < window.height
            && takenBoxes.allSatisfy { other in
                other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom
            }
    }

    private func box(x: Double, y: Double, halfWidth: Double, halfHeight: Double) -> ClipRectangle {
        ClipRectangle(left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight)
    }

    /// Returns the positions for a name beside a point: right, left, above, below, and then at the corners.
    private func beside(x: Double, y: Double, reach: Double, _ text: String, _ kind: Kind) -> [Choice] {
        let half = MapLabels.halfWidth(text, kind)
        let high = kind == .city ? 8.0 : 9
        let (aside, above) = (reach + half, reach + high)
        let shifts = [
            (aside, 0), (-aside, 0), (0, -above), (0, above), (half, -above), (half, above), (-half, -above),
            (-half, above),
        ]
        return shifts.enumerated().map {
            Choice(
                box: box(x: x + $1.0, y: y + $1.1, halfWidth: half, halfHeight: high), cost: Double(2 * $0))
        }
    }

    private mutating func add(_ text: String, _ kind: Kind, in box: ClipRectangle, dot: ClipRectangle.Point? = nil) {
        takenBoxes.append(box)
        labels.append(Label(text: text, kind: kind, x: box.left + 2, y: (box.top + box.bottom) / 2, dot: dot))
    }

    // MARK: Quakes

    /// Adds the names of the selected quake and of the three largest, without those close to a larger quake.
    private mutating func addQuakes(_ content: MapContent) {
        let selected = content.selected.flatMap { one in content.quakes.firstIndex { $0.id == one.id } }
        var largest: [Spot] = []
        for _ in 0..<3 {
            if let spot = self.largest(apartFrom: largest) { largest.append(spot) }
        }
        let named = spots.filter { $0.index == selected } + largest.filter { $0.index != selected }
        takenBoxes += named.map { box(x: $0.x, y: $0.y, halfWidth: $0.reach + 2, halfHeight: $0.reach + 2) }
        for spot in named {
            let quake = content.quakes[spot.index]
            if spot.index == selected {
                add(spot, [MapLabels.fullName(quake)], .selection)
            } else {
                add(spot, MapLabels.shortNames(quake), .quake)
            }
        }
    }

    private func largest(apartFrom named: [Spot]) -> Spot? {
        var first: Spot?
        for spot in spots where spot.magnitude > first?.magnitude ?? -.infinity {
            if named.allSatisfy({ $0.distance(to: spot) > MapLabels.minimumSpacing }) { first = spot }
        }
        return first
    }

    /// Adds the first of several texts, each shorter than the one before, that fits without covering many other quakes.
    private mutating func add(_ spot: Spot, _ texts: [String], _ kind: Kind) {
        let least = kind == .selection ? 4.5 : min(spot.magnitude, 4.5)
        let others = spots.filter { other in
            other.magnitude >= least && other.distance(to: spot) > spot.reach && other.distance(to: spot) < 60
        }
        for (number, text) in texts.enumerated() {
            let text = text.count > 50 ? text.prefix(49) + "…" : text
            let reach = spot.reach + (kind == .selection ? 11 : 4)
            let choices = Array(beside(x: spot.x, y: spot.y, reach: reach, text, kind).prefix(4))
            let clear = choices.filter { isClear($0.box, of: others, for: spot) }
            let limit = number + 1 < texts.count ? 4 * MapLabels.maximumCoveredExtent : .infinity
            let forced = kind == .selection ? choices[spot.x > window.width / 2 ? 1 : 0].box : nil
            guard let box = cheapestBox(clear, limit: limit) ?? cheapestBox(choices, limit: limit) ?? forced else {
                continue
            }
            add(text, kind, in: box)
            let toward = box.top > spot.y ? 1.0 : box.bottom < spot.y ? -1 : 0
            if toward != 0 {
                let end = (box.top + box.bottom) / 2 - 6 * toward
                labels[labels.count - 1].leader = [(spot.x, spot.y + toward * spot.reach), (spot.x, end)]
            }
            return
        }
    }

    /// Returns whether the part of a name nearest to its quake is closer to this quake than to any of `others`.
    private func isClear(_ box: ClipRectangle, of others: [Spot], for spot: Spot) -> Bool {
        let end = Spot(
            index: spot.index, magnitude: 0, x: min(max(spot.x, box.left), box.right),
            y: min(max(spot.y, box.top), box.bottom), reach: 0)
        let gap = end.distance(to: spot) - spot.reach
        return others.allSatisfy { end.distance(to: $0) - $0.reach >= gap }
    }

    // MARK: Places

    /// Adds the names of countries or states, those with quakes first. A name wider than its country may stand in the
    /// sea beside the country. A region without quakes, or after the first ``maximumNamedRegions``, is named only if
    /// the name is at most `room` times as wide as the region.
    private mutating func addRegions(areStates: Bool, room: Double) {
        let area = { [circleAreas] (number: Int) in circleAreas[number] ?? 0 }
        let regions = places.regions
        let numbers = regions.indices.filter { regions[$0].isState == areStates }
        let ordered = numbers.filter { area($0) > 0 || regions[$0].width > 0 }
            .sorted { (area($0), regions[$0].width) > (area($1), regions[$1].width) }
        for (rank, number) in ordered.enumerated() {
            let region = regions[number]
            guard window.bounds.contains(region.point) else { continue }
            let (x, y) = window.position(of: region.point)
            let half = MapLabels.halfWidth(region.name, .region)
            let side = region.width * window.unitsPerDegree / 2
            let isNamed = area(number) > 0 && rank < MapLabels.maximumNamedRegions
            if !isNamed, half > side * room { continue }
            // A name farther away, or many degrees wide beside its country, would seem to belong to something else.
            let scale = window.unitsPerDegree
            let most = min(20, 6 * scale)
            let aside = half > side && half < 20 * scale ? side + half + 4 : 0.6 * side
            let choices = around(x: x, y: y, aside: min(aside, half + most), above: 9 + most, half)
            let limit = MapLabels.maximumCoveredExtent * (!isNamed ? 1 : rank < 8 ? 6 : 3)
            if let box = cheapestBox(choices, limit: limit, avoidsLand: half > side) {
                add(region.name, .region, in: box)
            }
        }
    }

    /// Returns the positions for the name of a region: at the point `x`, `y` and around it.
    private func around(x: Double, y: Double, aside: Double, above: Double, _ halfWidth: Double) -> [Choice] {
        [0, aside, -aside].flatMap { dx in
            [0, -above, above, -above / 2, above / 2].map { dy in
                let box = box(x: x + dx, y: y + dy, halfWidth: halfWidth, halfHeight: 9)
                return Choice(box: box, cost: (abs(dx) + abs(dy)) / 4)
            }
        }
    }

    /// A city in the window.
    private struct VisibleCity {
        var city: Places.City
        var x: Double
        var y: Double
        /// The rectangle of the city's dot.
        var box: ClipRectangle
        /// The extent of the quakes near the city.
        var quakeExtent: Double
        /// The maximum extent of the quakes under the city's name.
        var limit: Double
    }

    /// Returns the cities that a map of this scale can name, the most important first.
    private func citiesInWindow() -> [VisibleCity] {
        let finest = Places.finestRank(unitsPerDegree: window.unitsPerDegree)
        return places.cities.prefix { $0.rank <= finest }.filter { window.bounds.contains($0.point) }.map { city in
            let (x, y) = window.position(of: city.point)
            let near = cells.extent(in: box(x: x, y: y, halfWidth: 24, halfHeight: 24))
            let dot = box(x: x, y: y, halfWidth: 3, halfHeight: 3)
            let limit = city.rank < finest - 1 ? .infinity : MapLabels.maximumCoveredExtent
            return VisibleCity(city: city, x: x, y: y, box: dot, quakeExtent: near, limit: limit)
        }
    }

    private mutating func add(_ one: VisibleCity, limit: Double) {
        let choices = beside(x: one.x, y: one.y, reach: 5, one.city.name, .city)
        guard let box = cheapestBox(choices, limit: limit) else { return }
        takenBoxes.append(one.box)
        add(one.city.name, .city, in: box, dot: (one.x, one.y))
    }
}
