import ArgumentParser
import QuakeModel

/// The filters that both the cache and the event service support.
///
/// `parsing: .unconditional` takes the next argument as the value even if it starts with a dash: `-1` is a magnitude.
struct CommonFilterOptions: ParsableArguments {
    @Option(
        "-m --min-mag <magnitude>", "Minimum magnitude (inclusive).", parsing: .unconditional,
        transform: FiniteNumber.parse)
    var minimumMagnitude: Double?

    @Option(
        "--max-mag <magnitude>", "Maximum magnitude (inclusive).", parsing: .unconditional,
        transform: FiniteNumber.parse)
    var maximumMagnitude: Double?

    @Option(
        "--min-depth <km>", "Minimum depth in km (inclusive); negative means above sea level.", parsing: .unconditional,
        transform: FiniteNumber.parse)
    var minimumDepth: Double?

    @Option(
        "--max-depth <km>", "Maximum depth in km (inclusive); negative means above sea level.", parsing: .unconditional,
        transform: FiniteNumber.parse)
    var maximumDepth: Double?

    @Option(
        "--bbox <W,S,E,N>", "Bounding box in degrees. If W is greater than E, the box crosses the 180th meridian.",
        parsing: .unconditional, transform: BoundingBox.parse)
    var boundingBox: BoundingBox?

    @Option(
        "--near <place>",
        """
        Reference point for --radius and distances: a city, such as "San Juan, Puerto Rico", LAT,LON, or the id of a \
        quake.
        """, parsing: .unconditional, completion: .place, transform: PlaceArgument.parseNear)
    var center: PlaceArgument?

    @Option(
        "--radius <length>", "Maximum distance from --near (inclusive), such as 20km or 12mi; a bare number is km.",
        parsing: .unconditional, transform: LengthArgument.parse)
    var radius: Double?

    @Option(
        "--type <type>",
        "Only these event types, such as \"quarry blast\" (comma-separated or repeated). A ! excludes: '!earthquake'.",
        completion: .list(of: FilterVocabulary.types),
        // Types contain spaces, for which people may type dashes or underscores; no type contains those characters.
        transform: { try NameList.parse($0.replacing(/[-_]/, with: " ")) })
    var types: [[String]] = []

    func validate() throws {
        try require(minimumMagnitude, "--min-mag", isAtMost: maximumMagnitude, "--max-mag")
        try require(minimumDepth, "--min-depth", isAtMost: maximumDepth, "--max-depth")
        if radius != nil, center == nil { throw ValidationError("--radius needs --near PLACE.") }
    }

    var filter: QuakeFilter {
        var filter = QuakeFilter(
            minimumMagnitude: minimumMagnitude, maximumMagnitude: maximumMagnitude,
            minimumDepthKilometers: minimumDepth, maximumDepthKilometers: maximumDepth, boundingBox: boundingBox,
            eventTypes: Set(types.joined()))
        if let center, let radius { filter.circle = QuakeFilter.Circle(center: center.point, radiusKilometers: radius) }
        return filter
    }

    /// Rejects `--near` without `--radius`, for commands that do not sort.
    func requireRadiusForCenter() throws {
        if center != nil, radius == nil { throw ValidationError("--near needs --radius, such as 20km or 12mi.") }
    }

    private func require(_ least: Double?, _ leastName: String, isAtMost most: Double?, _ mostName: String) throws {
        guard let least, let most, least > most else { return }
        throw ValidationError("\(leastName) \(least) is greater than \(mostName) \(most), so nothing can match.")
    }
}
