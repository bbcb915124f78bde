import ArgumentParser
import QuakeModel
import QuakeStore

/// Which changes matter.
struct RelevanceOptions: ParsableArguments {
    @Option(
        name: .customLong("op"),
        help: ArgumentHelp("Only these: insert, update, delete, enter, leave.", valueName: "op,…"),
        transform: RelevanceOptions.crossings)
    var crossings: Set<RelevantChange.Crossing> = []

    @Option(
        name: .customLong("changed"),
        help: ArgumentHelp(
            "Only updates of one of these fields, or of a group: source, impact, bookkeeping.", valueName: "field,…"),
        transform: ChangedFieldSet.parse)
    var changed: ChangedFieldSet?

    @Option(name: .customLong("author"), help: ArgumentHelp("Only transactions of these authors.", valueName: "name"))
    var authors: [String] = []

    @Option(
        name: .customLong("exclude-author"), help: ArgumentHelp("No transactions of these authors.", valueName: "name"))
    var excludedAuthors: [String] = []

    @Option(
        name: .customLong("id"), help: ArgumentHelp("Only quakes that have or had one of these ids.", valueName: "id"))
    var ids: [String] = []

    @Option(
        name: .customLong("max-origin-age"),
        help: ArgumentHelp(
            "Nothing that comes into view and happened longer before it became known, or lies ahead.",
            valueName: "age"),
        transform: DurationArgument.parse)
    var maximumOriginAge: DurationArgument?

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp("Stop after the transaction in which so many were shown.", valueName: "count"))
    var limit: Int?

    @Flag(name: .customLong("coalesce"), help: "The net effect per quake instead of every change.")
    var coalesces = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if limit != nil, coalesces { throw ValidationError("--limit and --coalesce exclude each other.") }
    }

    /// The descriptor these options and `filter` describe. Throws for an id no quake ever had.
    func descriptor(filter: QuakeFilter, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = HistoryDescriptor()
        descriptor.filter = filter
        descriptor.crossings = crossings
        descriptor.properties = changed?.properties ?? []
        descriptor.authors = NameList.set(authors)
        descriptor.excludedAuthors = NameList.set(excludedAuthors)
        descriptor.maximumOriginAge = maximumOriginAge?.duration
        descriptor.limit = limit
        descriptor.isCoalesced = coalesces
        let names = NameList.set(ids)
        if !names.isEmpty {
            descriptor.quakeKeys = Set(
                try names.map { name in
                    guard let key = try context.key(ofID: name) else { throw CommandError.unknownQuake(name) }
                    return key
                })
        }
        return descriptor
    }

    private static func crossings(_ text: String) throws -> Set<RelevantChange.Crossing> {
        Set(
            try NameList.names(in: text).map { name in
                guard let crossing = RelevantChange.Crossing(rawValue: name) else {
                    let names = RelevantChange.Crossing.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("There is no op \"\(name)\". The ops are: \(names).")
                }
                return crossing
            })
    }
}
