import ArgumentParser
import QuakeModel

/// The filters of all commands that select quakes from the cache. The origin time has its own options
/// (``OriginTimeOptions``).
///
/// A new filter needs an option here, a line in ``filter``, and its row in `QuakeFilter.table` (QuakeModel).
struct FilterOptions: ParsableArguments {
    @OptionGroup var common: CommonFilterOptions

    @Option(
        "--min-intensity <intensity>",
        """
        Minimum intensity (inclusive) on the Modified Mercalli scale, such as 3.5, IV or light, as estimated for \
        --near or --home.
        """,
        parsing: .unconditional, completion: .list(IntensityArgument.words), transform: IntensityArgument.parse)
    var minimumIntensity: Double?

    @Option(
        "--place <text>",
        """
        Only quakes whose place name contains this text, ignoring case and accents (comma-separated or repeated). To \
        match a state or country, use --region.
        """, parsing: .unconditionalSingleValue, transform: { $0 })
    var places: [String] = []

    @Option(
        "--region <name>",
        "Only quakes in this state, country or sea, by their place names. California also matches CA.",
        parsing: .unconditionalSingleValue, completion: .region, transform: { $0 })
    var regions: [String] = []

    @Option(
        "--status <status>", "Only these review statuses, such as automatic or reviewed.",
        completion: .list(of: FilterVocabulary.statuses), transform: NameList.parse)
    var statuses: [[String]] = []

    @Option(
        "--net <network>", "Only quakes whose preferred solution is from these networks, such as us or ci.",
        completion: .list(of: FilterVocabulary.networks), transform: NameList.parse)
    var networks: [[String]] = []

    @Option(
        "--magtype <type>", "Only these magnitude types, such as mww or ml.",
        completion: .list(of: FilterVocabulary.magnitudeTypes), transform: NameList.parse)
    var magnitudeTypes: [[String]] = []

    @Option(
        "--alert <level>", "Only these PAGER alert levels, such as green, yellow, orange or red.",
        completion: .list(of: FilterVocabulary.alerts), transform: NameList.parse)
    var alerts: [[String]] = []

    @Option("--min-felt <count>", "Minimum number of felt reports (inclusive).", parsing: .unconditional)
    var minimumFeltReports: Int?

    @Option("--min-sig <number>", "Minimum significance (inclusive), from 0 to over 1000.", parsing: .unconditional)
    var minimumSignificance: Int?

    @Flag(
        "--tsunami", "Only quakes with the tsunami flag, which means \"check with NOAA\", not that there was a tsunami."
    )
    var requiresTsunamiFlag = false

    @OptionGroup var home: HomeOption

    func validate() throws {
        guard places.flatMap(Self.placeTexts).allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError("--place needs some text.")
        }
        for value in regions { _ = try NameList.parse(value) }
        try requireWholeRegions()
    }

    /// Returns the filter that these options describe. The minimum intensity applies at `sites` or, if there are none,
    /// at the places of `--near`.
    func filter(from sites: [Site]) throws -> QuakeFilter {
        var filter = filter
        guard let minimumIntensity else { return filter }
        let places = sites.isEmpty ? common.centers.map(\.point) : sites.map(\.point)
        guard !places.isEmpty else { throw HomeOption.missing(for: "--min-intensity") }
        filter.intensity = QuakeFilter.Intensity(places: places, minimumIntensity: minimumIntensity)
        return filter
    }

    /// Returns the filter for a command that shows no distances, so that home matters only for the minimum intensity.
    func filter(in environment: CommandEnvironment, _ global: GlobalOptions) throws -> QuakeFilter {
        guard minimumIntensity != nil || !common.centers.isEmpty else { return filter }
        return try filter(from: sites(in: environment, global))
    }

    /// Returns the sites for distances: the places of `--near`, otherwise home.
    func sites(in environment: CommandEnvironment, _ global: GlobalOptions) throws -> [Site] {
        try home.sites(near: common.centers, in: environment, global)
    }

    var isSet: Bool { minimumIntensity != nil || filter != QuakeFilter() }

    /// Throws for `--home` without `--min-intensity`. For commands that show no distances.
    func requireUseOfHome() throws {
        if home.home != nil, minimumIntensity == nil {
            throw ValidationError("--home has no effect here without --min-intensity.")
        }
    }

    /// Circles of 300 km around the places of `--near`; none with `--radius` or `--min-intensity`.
    var impliedCircles: [QuakeFilter.Circle] {
        common.radius == nil && minimumIntensity == nil ? common.circles(radiusKilometers: 300) : []
    }

    /// Throws for `--near` without `--radius` or `--min-intensity`.
    func requireUseOfCenter() throws { if minimumIntensity == nil { try common.requireRadiusForCenter() } }

    /// The filter that these options describe, without the minimum intensity.
    var filter: QuakeFilter {
        var filter = common.filter
        filter.placesContain = Set(places.flatMap(Self.placeTexts))
        filter.regions = Set(regionNames.flatMap(Region.names(ofQuery:)))
        filter.statuses = Set(statuses.joined())
        filter.networks = Set(networks.joined())
        filter.magnitudeTypes = Set(magnitudeTypes.joined())
        filter.alerts = Set(alerts.joined())
        filter.minimumFeltReports = minimumFeltReports
        filter.minimumSignificance = minimumSignificance
        filter.requiresTsunamiFlag = requiresTsunamiFlag
        return filter
    }

    /// The names in the values of `--region`. The comma in "Washington, D.C." does not separate names, and the country
    /// in "California, USA" is dropped.
    var regionNames: [String] {
        regions.flatMap { text in
            NameList.names(
                in: text.replacing(/(?i)washington, *(d\.?c\.?)/) { "\($0.output.1)" }
                    .replacing(/(?i), *(?:usa?|u\.s\.(?:a\.)?|united states(?: of america)?) *(?=,|$)/, with: ""))
        }
    }

    /// Returns the search strings in one value of `--place`. A comma followed by a space, as in `Pahala, Hawaii`, does
    /// not separate them.
    static func placeTexts(in value: String) -> [String] {
        value.split(separator: /,(?! )/, omittingEmptySubsequences: false).map { String($0.trimmingSpaces) }
    }
}
