import ArgumentParser
import QuakeModel

/// In which order.
struct SortOptions: ParsableArguments {
    /// What quakes can be sorted by.
    enum Key: String, CaseIterable, ExpressibleByArgument {
        case time, mag, depth, distance, updated
    }

    @Option(
        name: .customLong("sort"),
        help: ArgumentHelp(
            "The order: newest, largest, deepest, nearest or last updated first; ties by id.", valueName: "key"))
    var key: Key = .time

    @Flag(name: .customLong("reverse"), help: "Turn the order round.")
    var isReversed = false

    /// The order, distances measured from the centre of `options`. Throws a usage error where that is missing, or where
    /// it is given and nothing measures from it.
    func sort(with options: FilterOptions) throws -> QuakeSort {
        if options.center != nil, options.radius == nil, key != .distance {
            throw ValidationError("--near needs --radius KM or --sort distance.")
        }
        switch key {
        case .time: return .time
        case .mag: return .magnitude
        case .depth: return .depth
        case .updated: return .updated
        case .distance:
            guard let center = options.center else {
                throw ValidationError("--sort distance needs --near LAT,LON to measure from.")
            }
            return .distance(from: center)
        }
    }
}
