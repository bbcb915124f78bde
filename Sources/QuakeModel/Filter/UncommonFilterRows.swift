/// Conditions that do not follow a common pattern.
extension FilterRow {
    /// The limits on origin time. They are not sent to the service, because windows and claims have their own times.
    static let originTime = FilterRow(
        member: "since", selectsBySize: false,
        conditions: { filter in
            [
                filter.since.map { .atLeast(.time, .integer($0.milliseconds)) },
                filter.until.map { .less(.time, .integer($0.milliseconds)) },
            ].compactMap(\.self)
        },
        words: { filter in
            let words = [
                filter.since.map { "since \($0.shortWords)" }, filter.until.map { "until \($0.shortWords)" },
            ].compactMap(\.self)
            return words.isEmpty ? nil : words.joined(separator: " · ")
        },
        service: FilterRow.Service(parameters: { _ in [] }, members: []))

    static let circle = FilterRow(
        member: "circle", selectsBySize: false,
        conditions: { $0.circle.map { [$0.center.isOnGlobe ? .circle($0) : .nothing] } ?? [] },
        words: { filter in
            filter.circle.map {
                "within \(PlainNumber.text($0.radiusKilometers, decimals: 2)) km of \($0.center.words)"
            }
        },
        service: FilterRow.Service(
            parameters: { filter in
                guard let circle = filter.circle else { return [] }
                return [
                    ("latitude", ["\(circle.center.latitude)"]), ("longitude", ["\(circle.center.longitude)"]),
                    // Enlarge the circle, because the cache measures distances on a sphere, which can be 0.6% off.
                    ("maxradiuskm", ["\(circle.radiusKilometers * 1.01)"]),
                ]
            },
            members: [
                FilterMember(name: "near") { filter in
                    filter.circle.map { .numbers([$0.center.latitude, $0.center.longitude]) }
                } set: { filter, value in
                    guard case .numbers(let angles) = value, angles.count == 2 else { return }
                    filter.circle = QuakeFilter.Circle(
                        center: GeographicPoint(latitude: angles[0], longitude: angles[1]), radiusKilometers: 0)
                },
                FilterMember(name: "radius_km") { filter in
                    filter.circle.map { .number($0.radiusKilometers) }
                } set: { filter, value in
                    guard case .number(let radius) = value else { return }
                    filter.circle?.radiusKilometers = radius
                },
            ]))

    static let shaking = FilterRow(
        member: "shaking", selectsBySize: true,
        conditions: { $0.shaking.map { [$0.place.isOnGlobe ? .shaking($0) : .nothing] } ?? [] },
        words: { filter in
            filter.shaking.map {
                "estimated shaking \(PlainNumber.text($0.minimumIntensity, decimals: 2))+ at \($0.place.words)"
            }
        })

    static let boundingBox = FilterRow(
        member: "boundingBox", selectsBySize: false, conditions: { $0.boundingBox.map { [.box($0)] } ?? [] },
        words: { $0.boundingBox?.words },
        service: FilterRow.Service(
            parameters: { filter in
                guard let box = filter.boundingBox else { return [] }
                return [
                    ("minlatitude", ["\(box.south)"]), ("maxlatitude", ["\(box.north)"]),
                    ("minlongitude", ["\(box.west)"]),
                    // For a box across the 180th meridian, the service expects an eastern edge beyond 180.
                    ("maxlongitude", ["\(box.crossesDateLine ? box.east + 360 : box.east)"]),
                ]
            },
            members: [
                FilterMember(name: "bbox") { filter in
                    filter.boundingBox.map { .numbers([$0.west, $0.south, $0.east, $0.north]) }
                } set: { filter, value in
                    guard case .numbers(let edges) = value, edges.count == 4 else { return }
                    filter.boundingBox = try? BoundingBox(
                        west: edges[0], south: edges[1], east: edges[2], north: edges[3])
                }
            ]))
}

extension GeographicPoint {
    /// Whether the coordinates describe a point on the Earth. The longitude may exceed 180 degrees.
    fileprivate var isOnGlobe: Bool { (-90...90).contains(latitude) && longitude.isFinite }

    fileprivate var words: String { "\(PlainNumber.text(latitude)),\(PlainNumber.text(longitude))" }
}

extension BoundingBox {
    fileprivate var words: String { span(south, north, "N", "S") + ", " + span(west, east, "E", "W") }

    /// Formats the range between two edges in degrees: `50–30°S`, `165°E–175°W`.
    private func span(_ from: Double, _ to: Double, _ positive: String, _ negative: String) -> String {
        let side = { (degrees: Double) in degrees == 0 || abs(degrees) == 180 ? "" : degrees < 0 ? negative : positive }
        let number = { (degrees: Double) in PlainNumber.text(abs(degrees)) }
        return side(from) == side(to)
            ? "\(number(from))–\(number(to))°\(side(to))" : "\(number(from))°\(side(from))–\(number(to))°\(side(to))"
    }
}

extension Timestamp {
    /// The moment in UTC, to the minute, or the date alone at midnight: `2025-05-04 13:53 UTC`, `2025-05-04`.
    package var shortWords: String { milliseconds.isMultiple(of: 86_400_000) ? dayWords : "\(minuteWords) UTC" }
}
