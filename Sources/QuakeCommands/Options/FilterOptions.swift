import ArgumentParser
import QuakeModel

/// The filters of every command that selects quakes from the cache. Origin times are in ``OriginTimeOptions``.
///
/// A new filter needs an option here, a line in ``filter``, and its row in `QuakeFilter.table` (QuakeModel).
struct FilterOptions: ParsableArguments {
    @OptionGroup var common: CommonFilterOptions

    @Option(
        "--min-shaking <intensity>",
        "Minimum expected intensity (inclusive), such as 3.5, IV or light, at --near, --home or $QUAKES_HOME.",
        parsing: .unconditional, completion: .list(ShakingArgument.words), transform: ShakingArgument.parse)
    var minimumShaking: Double?

    @Option(
        "--place <text>",
        """
        Only places whose name contains this text, ignoring case and accents (comma-separated or repeated). To match \
        a state or country, use --region.
        """, parsing: .unconditionalSingleValue, transform: { $0 })
    var places: [String] = []

    @Option(
        "--region <name>",
        "Only quakes whose place is in this state, country or sea. California also matches CA.",
        parsing: .unconditionalSingleValue, completion: .region, transform: { $0 })
    var regions: [String] = []

    @Option(
        "--status <status>", "Only these review statuses: automatic, reviewed.",
        completion: .list(of: FilterVocabulary.statuses), transform: NameList.parse)
    var statuses: [[String]] = []

    @Option(
        "--net <network>", "Only these contributing networks, such as us or ci.",
        completion: .list(of: FilterVocabulary.networks), transform: NameList.parse)
    var networks: [[String]] = []

    @Option(
        "--magtype <type>", "Only these magnitude types, such as mww or ml, ignoring case.",
        completion: .list(of: FilterVocabulary.magnitudeTypes), transform: NameList.parse)
    var magnitudeTypes: [[String]] = []

    @Option(
        "--alert <level>", "Only these PAGER alert levels: green, yellow, orange, red.",
        completion: .list(of: FilterVocabulary.alerts), transform: NameList.parse)
    var alerts: [[String]] = []

    @Option("--min-felt <count>", "Minimum number of felt reports (inclusive).", parsing: .unconditional)
    var minimumFeltReports: Int64?

    @Option("--min-sig <number>", "Minimum significance (inclusive), from 0 to over 1000.", parsing: .unconditional)
    var minimumSignificance: Int64?

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

    /// Returns the filter that these options describe, with shaking estimated at `sites`, otherwise at `--near`.
    func filter(from sites: [Site]) throws -> QuakeFilter {
        var filter = filter
        guard let minimumShaking else { return filter }
        let places = sites.isEmpty ? common.centers.map(\.point) : sites.map(\.point)
        guard !places.isEmpty else { throw HomeOption.missing(for: "--min-shaking") }
        filter.shaking = QuakeFilter.Shaking(places: places, minimumIntensity: minimumShaking)
        return filter
    }

    /// Returns the filter for a command that shows no distances, where home only affects shaking.
    func filter(in environment: CommandEnvironment, _ global: GlobalOptions) throws -> QuakeFilter {
        guard minimumShaking != nil || !common.centers.isEmpty else { return filter }
        return try filter(from: sites(in: environment, global))
    }

    /// Returns the sites for distances: the places of `--near`, otherwise home.
    func sites(in environment: CommandEnvironment, _ global: GlobalOptions) throws -> [Site] {
        try home.sites(near: common.centers, in: environment, global)
    }

    var isSet: Bool { minimumShaking != nil || filter != QuakeFilter() }

    /// Rejects `--home` in a command that shows no distances, unless another option uses it.
    func requireUseOfHome() throws {
        if home.home != nil, minimumShaking == nil {
            throw ValidationError("--home has no effect here without --min-shaking.")
        }
    }

    /// The default circles around `--near`, used without `--radius` and `--min-shaking`.
    var impliedCircles: [QuakeFilter.Circle] {
        common.radius == nil && minimumShaking == nil ? common.circles(radiusKilometers: 300) : []
    }

    /// Rejects `--near` unless another option uses it.
    func requireUseOfCenter() throws { if minimumShaking == nil { try common.requireRadiusForCenter() } }

    /// The filter that these options describe, apart from shaking.
    var filter: QuakeFilter {
        var filter = common.filter
        filter.placesContain = Set(places.flatMap(Self.placeTexts))
        filter.regions = Set(regionNames.flatMap(Region.names(ofQuery:)))
        (filter.statuses, filter.networks) = (Set(statuses.joined()), Set(networks.joined()))
        (filter.magnitudeTypes, filter.alerts) = (Set(magnitudeTypes.joined()), Set(alerts.joined()))
        (filter.minimumFeltReports, filter.minimumSignificance) = (minimumFeltReports, minimumSignificance)
        filter.requiresTsunamiFlag = requiresTsunamiFlag
        return filter
    }

    /// The names in the values of `--region`. The comma in "Washington, D.C." does not separate names, and a country
    /// after a state ("California, USA") is dropped.
    var regionNames: [String] {
        regions.flatMap { text in
            NameList.names(
                in: text.replacing(/(?i)washington, *(d\.?c\.?)/) { "\($0.output.1)" }
                    .replacing(/(?i), *(?:usa?|u\.s\.(?:a\.)?|united states(?: of america)?) *(?=,|$)/, with: ""))
        }
    }

    /// Returns the texts in one value of `--place`. A comma and a space, as in `Pahala, Hawaii`, do not separate texts.
    static func placeTexts(in value: String) -> [String] {
        value.split(separator: /,(?! )/, omittingEmptySubsequences: false).map { String($0.trimmingSpaces) }
    }
}

extension GeographicPoint {
    /// Parses `LAT,LON`.
    static func parse(_ text: String) throws -> GeographicPoint {
        let numbers = try FiniteNumber.parseList(text, count: 2, form: "LAT,LON", example: "35.7,139.7")
        try requireLatitude(numbers[0])
        return GeographicPoint(latitude: numbers[0], longitude: try wrappedLongitude(numbers[1]))
    }
}

extension BoundingBox {
    /// Parses `W,S,E,N`. If W is greater than E, the box crosses the 180th meridian.
    static func parse(_ text: String) throws -> BoundingBox {
        let numbers = try FiniteNumber.parseList(text, count: 4, form: "W,S,E,N", example: "165,-50,-175,-30")
        let (south, north) = (numbers[1], numbers[3])
        try [south, north].forEach(requireLatitude)
        var (west, east) = (try wrappedLongitude(numbers[0]), try wrappedLongitude(numbers[2]))
        if numbers[2] - numbers[0] >= 360 { (west, east) = (-180, 180) }
        guard south <= north else {
            throw ValidationError("South is greater than north; the order is west, south, east, north.")
        }
        return try BoundingBox(west: west, south: south, east: east, north: north)
    }
}

private func requireLatitude(_ degrees: Double) throws {
    guard (-90...90).contains(degrees) else {
        throw ValidationError("Latitude must be between -90 and 90, not \(degrees).")
    }
}

/// Returns `degrees`, which may lie beyond the 180th meridian, as a longitude from -180 to 180.
private func wrappedLongitude(_ degrees: Double) throws -> Double {
    guard (-360...360).contains(degrees) else {
        throw ValidationError("Longitude must be between -360 and 360, not \(degrees).")
    }
    return abs(degrees) > 180 ? degrees - (degrees > 0 ? 360 : -360) : degrees
}

enum FiniteNumber {
    /// Parses a decimal number; rejects `nan`, `inf`, hexadecimal numbers and numbers that are too large.
    static func parse(_ text: some StringProtocol) throws -> Double {
        let isDecimal = text.utf8.allSatisfy { byte in (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) }
        guard isDecimal, let number = Double(text), number.isFinite else { throw ValidationError("Expected a number.") }
        return number
    }

    /// Parses `count` comma-separated numbers.
    static func parseList(_ text: String, count: Int, form: String, example: String) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { try? parse($0.trimmingSpaces) }
        guard parts.count == count, numbers.count == count else {
            throw ValidationError("Write \(form) in degrees, such as \(example).")
        }
        return numbers
    }
}

extension StringProtocol {
    /// This text without leading and trailing spaces.
    var trimmingSpaces: SubSequence { trimming { $0 == " " } }

    /// Returns this text without the leading and trailing characters for which `isTrimmed` is true.
    func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
        let start = firstIndex { !isTrimmed($0) } ?? endIndex
        let end = self[start...].lastIndex { !isTrimmed($0) }.map(index(after:)) ?? start
        return self[start..<end]
    }
}

/// Parses options that accept several values, separated by commas or given by repeating the option.
enum NameList {
    /// Returns the names in one value, without surrounding spaces.
    static func names(in value: String) -> [String] {
        value.split(separator: ",").map { String($0.trimmingSpaces) }.filter { !$0.isEmpty }
    }

    /// Returns the names in one value of an option; throws if there are none.
    static func parse(_ value: String) throws -> [String] {
        let names = names(in: value)
        guard !names.isEmpty else { throw ValidationError("Give at least one value.") }
        return names
    }

    /// Returns the names in all values of an option.
    static func set(_ values: [String]) -> Set<String> { Set(values.flatMap(names)) }
}

/// An intensity on the command line: a number, a numeral or a word of the Modified Mercalli scale.
enum ShakingArgument {
    /// The words for shaking that can be felt. "felt" means the same as "weak", which covers II and III.
    static let words = ["felt"] + (3...10).compactMap { ShakingLevel(rawValue: $0)?.word }

    /// Returns the lowest intensity for `text`: 4 for `4`, 3.5 for `IV` and `light`. Throws a usage error for others.
    static func parse(_ text: String) throws -> Double {
        let word = String(text.trimmingSpaces)
        if let level = ShakingLevel(word.lowercased() == "felt" ? "weak" : word) { return level.leastIntensity }
        guard let number = try? FiniteNumber.parse(word), (1...10).contains(number) else {
            throw ValidationError(
                "An intensity is a number from 1 to 10, a Roman numeral such as IV, or a word: \(words.joined(separator: ", "))."
            )
        }
        return number
    }
}
