/// Conditions that do not follow a common pattern.
extension FilterRow {
    /// The limits on origin time. They are not sent to the service, because each request window and each covered range
    /// has its own times.
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

    static let circles = FilterRow(
        member: "circles", selectsBySize: false,
        conditions: { filter in
            filter.circles.isEmpty ? [] : [.circles(filter.circles.filter(\.center.isOnGlobe))]
        },
        words: { filter in
            alternatives(
                filter.circles.map {
                    "within \(PlainNumber.text($0.radiusKilometers, decimals: 2)) km of \($0.center.filterWords)"
                }, "in one of \(filter.circles.count.grouped) circles")
        },
        service: FilterRow.Service(
            parameters: { filter in
                guard let circle = filter.circles.first else { return [] }
                return [
                    ("latitude", ["\(circle.center.latitude)"]), ("longitude", ["\(circle.center.longitude)"]),
                    // Enlarge the circle, because the cache computes distances on a sphere, with an error of up to
                    // 0.6%.
                    ("maxradiuskm", ["\(circle.radiusKilometers * 1.01)"]),
                ]
            },
            members: [
                FilterJSONMember(name: "near") { filter in
                    filter.circles.first.map { .numbers([$0.center.latitude, $0.center.longitude]) }
                } set: { filter, value in
                    guard case .numbers(let angles) = value, angles.count == 2 else { return }
                    let center = GeographicPoint(latitude: angles[0], longitude: angles[1])
                    filter.circles = [QuakeFilter.Circle(center: center, radiusKilometers: 0)]
                },
                FilterJSONMember(name: "radius_km") { filter in
                    filter.circles.first.map { .number($0.radiusKilometers) }
                } set: { filter, value in
                    guard case .number(let radius) = value, !filter.circles.isEmpty else { return }
                    filter.circles[0].radiusKilometers = radius
                },
            ]))

    static let intensity = FilterRow(
        member: "intensity", selectsBySize: true,
        conditions: { filter in
            guard var intensity = filter.intensity else { return [] }
            intensity.places.removeAll { !$0.isOnGlobe }
            return [.intensity(intensity)]
        },
        words: { filter in
            filter.intensity.map { intensity in
                let places = alternatives(
                    intensity.places.map(\.filterWords), "one of \(intensity.places.count.grouped) places")
                let least = PlainNumber.text(intensity.minimumIntensity, decimals: 2)
                return "estimated intensity \(least)+ at \(places ?? "no place")"
            }
        })

    static let boundingBoxes = FilterRow(
        member: "boundingBoxes", selectsBySize: false,
        conditions: { $0.boundingBoxes.isEmpty ? [] : [.boxes($0.boundingBoxes)] },
        words: { alternatives($0.boundingBoxes.map(\.words), "in one of \($0.boundingBoxes.count.grouped) boxes") },
        service: FilterRow.Service(
            parameters: { filter in
                guard let box = filter.boundingBoxes.first else { return [] }
                return [
                    ("minlatitude", ["\(box.south)"]), ("maxlatitude", ["\(box.north)"]),
                    ("minlongitude", ["\(box.west)"]),
                    // For a box across the 180th meridian, the service expects an eastern edge beyond 180.
                    ("maxlongitude", ["\(box.crossesDateLine ? box.east + 360 : box.east)"]),
                ]
            },
            members: [
                FilterJSONMember(name: "bbox") { filter in
                    filter.boundingBoxes.first.map { .numbers([$0.west, $0.south, $0.east, $0.north]) }
                } set: { filter, value in
                    guard case .numbers(let edges) = value, edges.count == 4 else { return }
                    let box = try? BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
                    filter.boundingBoxes = box.map { [$0] } ?? []
                }
            ]))

    /// Returns up to three descriptions joined by "or"; `sum` if there are more; nil if there are none.
    private static func alternatives(_ words: [String], _ sum: String) -> String? {
        guard !words.isEmpty else { return nil }
        return words.count > 3 ? sum : words.joined(separator: " or ")
    }
}

extension GeographicPoint {
    /// Whether the coordinates describe a point on the Earth. The longitude may exceed 180 degrees.
    fileprivate var isOnGlobe: Bool { (-90...90).contains(latitude) && longitude.isFinite }

    /// The coordinates as in the words for a filter: `35.69,139.692`.
    package var filterWords: String { "\(PlainNumber.text(latitude)),\(PlainNumber.text(longitude))" }
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
