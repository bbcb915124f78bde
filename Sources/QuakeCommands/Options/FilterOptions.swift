import ArgumentParser
import QuakeModel

/// Which quakes, by what they are and where; when they happened is for ``OriginTimeOptions``.
///
/// Values are taken from the next argument whatever it looks like, for `-1` is a magnitude and `-120,30,-110,40` a box.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .customLong("min-mag"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes of this magnitude or more.", valueName: "magnitude"),
        transform: FiniteNumber.parse)
    var minimumMagnitude: Double?

    @Option(
        name: .customLong("max-mag"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes of this magnitude or less.", valueName: "magnitude"),
        transform: FiniteNumber.parse)
    var maximumMagnitude: Double?

    @Option(
        name: .customLong("min-depth"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes this deep or deeper.", valueName: "km"), transform: FiniteNumber.parse)
    var minimumDepth: Double?

    @Option(
        name: .customLong("max-depth"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes this deep or less deep.", valueName: "km"), transform: FiniteNumber.parse)
    var maximumDepth: Double?

    @Option(
        name: .customLong("bbox"), parsing: .unconditional,
        help: ArgumentHelp(
            "Only quakes in this box of degrees; one with its west east of its east crosses the 180th meridian.",
            valueName: "W,S,E,N"),
        transform: BoundingBox.parse)
    var boundingBox: BoundingBox?

    @Option(
        name: .customLong("near"), parsing: .unconditional,
        help: ArgumentHelp("The point that --radius and --sort distance measure from.", valueName: "LAT,LON"),
        transform: GeographicPoint.parse)
    var center: GeographicPoint?

    @Option(
        name: .customLong("radius"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes within this distance of --near.", valueName: "km"),
        transform: FiniteNumber.parse)
    var radius: Double?

    @Option(
        name: .customLong("place"), parsing: .unconditional,
        help: ArgumentHelp(
            "Only quakes whose place name holds this text, whatever its case and accents.", valueName: "text"))
    var place: String?

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "Only these types, such as earthquake or \"quarry blast\"; several by commas or by repeating the option.",
            valueName: "type"))
    var types: [String] = []

    @Option(
        name: .customLong("status"),
        help: ArgumentHelp("Only these review statuses, such as automatic or reviewed.", valueName: "status"))
    var statuses: [String] = []

    @Option(
        name: .customLong("net"),
        help: ArgumentHelp("Only quakes of these networks, such as us or ci.", valueName: "network"))
    var networks: [String] = []

    @Option(
        name: .customLong("alert"),
        help: ArgumentHelp("Only these alert levels: green, yellow, orange, red.", valueName: "level"))
    var alerts: [String] = []

    @Option(
        name: .customLong("min-felt"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes that at least so many people reported to have felt.", valueName: "count"))
    var minimumFelt: Int64?

    @Option(
        name: .customLong("min-sig"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes at least so significant, on a scale from 0 to over 1000.", valueName: "number"))
    var minimumSignificance: Int64?

    @Flag(name: .customLong("tsunami"), help: "Only quakes with the tsunami flag.")
    var requiresTsunamiFlag = false

    func validate() throws {
        try require(minimumMagnitude, "--min-mag", isAtMost: maximumMagnitude, "--max-mag")
        try require(minimumDepth, "--min-depth", isAtMost: maximumDepth, "--max-depth")
        if let radius {
            guard center != nil else { throw ValidationError("--radius needs --near LAT,LON to measure from.") }
            guard radius >= 0 else { throw ValidationError("--radius cannot be negative.") }
        }
        if place?.trimmingSpaces.isEmpty == true { throw ValidationError("--place needs a text to look for.") }
        for (values, name) in [(types, "--type"), (statuses, "--status"), (networks, "--net"), (alerts, "--alert")] {
            guard values.allSatisfy({ !NameList.names(in: $0).isEmpty }) else {
                throw ValidationError("\(name) needs at least one value.")
            }
        }
    }

    /// The filter these options describe.
    var filter: QuakeFilter {
        var filter = QuakeFilter()
        filter.minimumMagnitude = minimumMagnitude
        filter.maximumMagnitude = maximumMagnitude
        filter.minimumDepthKilometers = minimumDepth
        filter.maximumDepthKilometers = maximumDepth
        filter.boundingBox = boundingBox
        if let center, let radius { filter.circle = QuakeFilter.Circle(center: center, radiusKilometers: radius) }
        filter.placeContains = place
        filter.eventTypes = NameList.set(types)
        filter.statuses = NameList.set(statuses)
        filter.networks = NameList.set(networks)
        filter.alerts = NameList.set(alerts)
        filter.minimumFelt = minimumFelt
        filter.minimumSignificance = minimumSignificance
        filter.requiresTsunamiFlag = requiresTsunamiFlag
        return filter
    }

    /// Refuses a point that nothing measures from. For commands that do not sort.
    func requireRadiusForCenter() throws {
        if center != nil, radius == nil { throw ValidationError("--near needs --radius KM.") }
    }

    private func require(_ least: Double?, _ leastName: String, isAtMost most: Double?, _ mostName: String) throws {
        guard let least, let most, least > most else { return }
        throw ValidationError("\(leastName) \(least) is more than \(mostName) \(most): no quake can match.")
    }
}
