import QuakeFormats
import QuakeStore

extension QuakeFilter {
    /// The options of `quakes backfill` for the conditions of this filter that the command supports, so that it fetches
    /// every quake that the filter accepts. The start is rounded down to a whole day. Times state that they are in UTC,
    /// because the command reads others in the zone of `$QUAKES_TZ`.
    var backfillOptions: [String] {
        let box = boundingBoxes.count == 1 ? boundingBoxes.first : nil
        let circle = circles.count == 1 ? circles.first : nil
        let types = eventTypes.contains { $0.hasPrefix("!") } ? [] : eventTypes.sorted()
        let options: [(name: String, values: [String])] = [
            ("--since", [since.map { "\($0.dayWords)T00:00Z" }].compactMap(\.self)),
            ("--until", [until?.iso8601.replacing(":00.000Z", with: "Z")].compactMap(\.self)),
            ("--min-mag", Self.numbers(minimumMagnitude)), ("--max-mag", Self.numbers(maximumMagnitude)),
            ("--min-depth", Self.numbers(minimumDepthKilometers)),
            ("--max-depth", Self.numbers(maximumDepthKilometers)),
            ("--bbox", Self.numbers(box?.west, box?.south, box?.east, box?.north)),
            ("--near", Self.numbers(circle?.center.latitude, circle?.center.longitude)),
            ("--radius", Self.numbers(circle?.radiusKilometers)), ("--type", types),
        ]
        return options.flatMap { $0.values.isEmpty ? [] : [$0.name, $0.values.joined(separator: ",")] }
    }

    private static func numbers(_ numbers: Double?...) -> [String] { numbers.compactMap(\.self).map(PlainNumber.text) }
}
