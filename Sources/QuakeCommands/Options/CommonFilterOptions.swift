import ArgumentParser
import QuakeModel

/// The filters that both the cache and the event service support.
///
/// `parsing: .unconditional` takes the next argument as the value even if it begins with a dash, so that `-1` is a
/// magnitude.
struct CommonFilterOptions: ParsableArguments {
    @Option(
        "-m --min-mag <magnitude>", "Minimum magnitude (inclusive).", parsing: .unconditional,
        transform: LimitArgument.magnitude)
    var minimumMagnitude: Double?

    @Option(
        "--max-mag <magnitude>", "Maximum magnitude (inclusive).", parsing: .unconditional,
        transform: LimitArgument.magnitude)
    var maximumMagnitude: Double?

    @Option(
        "--min-depth <km>", "Minimum depth in km (inclusive); may be negative.", parsing: .unconditional,
        transform: LimitArgument.depth)
    var minimumDepth: Double?

    @Option(
        "--max-depth <km>", "Maximum depth in km (inclusive).", parsing: .unconditional,
        transform: LimitArgument.depth)
    var maximumDepth: Double?

    @Option(
        "--bbox <W,S,E,N>",
        "Bounding box in degrees. If W is greater than E, the box crosses the 180th meridian.",
        parsing: .unconditionalSingleValue, transform: BoundingBox.parse)
    var boundingBoxes: [BoundingBox] = []

    @Option(
        "--near <place>",
        """
        Site for --radius and any distances shown: a city (such as "San Juan, Puerto Rico"), LAT,LON, or the id of a \
        quake.
        """, parsing: .unconditionalSingleValue, completion: .place, transform: PlaceArgument.parseNear)
    var centers: [PlaceArgument] = []

    @Option(
        "--radius <length>", "Maximum distance from --near (inclusive), such as 20km or 12mi; a bare number is km.",
        parsing: .unconditional, transform: LengthArgument.parseRadius)
    var radius: Double?

    @Option(
        "--type <type>",
        "Only these event types, such as \"quarry blast\" (comma-separated or repeated).",
        completion: .list(of: FilterVocabulary.types),
        // Types contain spaces, for which users may type dashes or underscores. No type contains a dash or an
        // underscore.
        transform: { try NameList.parse($0.replacing(/[-_]/, with: " ")) })
    var types: [[String]] = []

    func validate() throws {
        try require(minimumMagnitude, "--min-mag", isAtMost: maximumMagnitude, "--max-mag")
        try require(minimumDepth, "--min-depth", isAtMost: maximumDepth, "--max-depth")
        if radius != nil, centers.isEmpty { throw ValidationError("--radius needs --near PLACE.") }
    }

    var filter: QuakeFilter {
        var filter = QuakeFilter(
            minimumMagnitude: minimumMagnitude, maximumMagnitude: maximumMagnitude,
            minimumDepthKilometers: minimumDepth, maximumDepthKilometers: maximumDepth, boundingBoxes: boundingBoxes,
            eventTypes: Set(types.joined()))
        if let radius { filter.circles = circles(radiusKilometers: radius) }
        return filter
    }

    /// Returns a circle around each place of `--near`.
    func circles(radiusKilometers: Double) -> [QuakeFilter.Circle] {
        centers.map { QuakeFilter.Circle(center: $0.point, radiusKilometers: radiusKilometers) }
    }

    /// Throws if there are several places or boxes. For commands that support only one area.
    func requireOneArea() throws {
        let counts = [("--near", centers.count), ("--bbox", boundingBoxes.count)]
        guard let repeated = counts.first(where: { $0.1 > 1 }) else { return }
        throw ValidationError("\(repeated.0) can be given only once here: backfill and details take one area.")
    }

    /// Throws for `--near` without `--radius`. For commands that do not sort by distance.
    func requireRadiusForCenter() throws {
        if !centers.isEmpty, radius == nil { throw ValidationError("--near needs --radius, such as 20km or 12mi.") }
    }

    private func require(_ least: Double?, _ leastName: String, isAtMost most: Double?, _ mostName: String) throws {
        guard let least, let most, least > most else { return }
        throw ValidationError("\(leastName) \(least) is greater than \(mostName) \(most), so nothing can match.")
    }
}
