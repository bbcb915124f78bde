import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes changes`: what changed, since a token, since the last one, or from the beginning.
struct ChangesCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Show what changed: since a token, since the last time, or from the beginning.",
        discussion: """
            Every answer ends with a token; handed back, it gives exactly what came after. A bare --since-token uses the \
            one this consumer got last, which the cache remembers and moves only after all output was written.

            A token that cannot be followed gives a drop-everything record and then every quake, so that a reader needs \
            no second path; --on-expired fail gives exit status 3 instead.

            EXAMPLES:
              quakes changes --since-token --format ndjson
              quakes changes --since-token --consumer alarm --min-mag 4.5 --op insert,enter
              quakes changes --since-token q1.0a1b2c3d4e5f6.42.9f8e7d6c --format json
              quakes changes --since-token --consumer mail --exec 'mail -s quakes ops@example.org'
              quakes changes --since-token --consumer pager --follow --max-origin-age 2h
              quakes changes --since 2h --changed source
            """)

    /// What a bare `--since-token` stands for: no word of a command line can hold this character.
    static let lastToken = "\0"

    @Option(
        name: .customLong("since-token"),
        defaultAsFlag: ChangesCommand.lastToken,
        help: ArgumentHelp(
            "After this token; without one, after the last this consumer got. Also beginning and now.",
            valueName: "token"))
    var sinceToken: String?

    @OptionGroup(title: "Since when") var place: HistoryPlaceOptions
    @OptionGroup(title: "How they are delivered") var delivery: DeliveryOptions
    @OptionGroup(title: "Which changes") var relevance: RelevanceOptions

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("How to write them (default: table; ndjson with --exec and --follow).", valueName: "format"))
    var chosenFormat: ChangesFormat?

    @Flag(name: .customLong("epoch"), help: "Times as epoch milliseconds instead of ISO 8601.")
    var usesEpochTime = false

    @Flag(name: .customLong("fail-empty"), help: "Exit with status 4 when nothing matches.")
    var failsEmpty = false

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try filters.requireRadiusForCenter()
        let starts = [
            sinceToken != nil, place.since != nil, place.sinceTransaction != nil,
            place.tokenFile != nil && sinceToken != ChangesCommand.lastToken,
        ]
        if starts.count(where: { $0 }) > 1 {
            throw ValidationError("--since-token, --since, --since-transaction and --token-file exclude each other.")
        }
        if place.consumer != nil, sinceToken != ChangesCommand.lastToken, delivery.acknowledged == nil {
            throw ValidationError("--consumer goes with a bare --since-token.")
        }
        if place.consumer != nil, place.tokenFile != nil {
            throw ValidationError("--consumer and --token-file exclude each other.")
        }
        if delivery.acknowledged != nil, sinceToken != nil || place.since != nil || place.sinceTransaction != nil {
            throw ValidationError("--ack shows nothing, so it has no start.")
        }
        if delivery.follows {
            if let chosenFormat, chosenFormat != .ndjson { throw ValidationError("--follow writes ndjson only.") }
            if relevance.limit != nil || relevance.coalesces {
                throw ValidationError("--follow goes without --limit and --coalesce.")
            }
        }
    }

    /// The form to write in.
    var format: ChangesFormat {
        chosenFormat ?? (delivery.follows || delivery.command != nil ? .ndjson : .table)
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let bookmark = try ReadPosition(command: self)
        try bookmark.requireKeeping()
        if let token = delivery.acknowledged { return try acknowledge(token, bookmark, environment) }
        if delivery.follows {
            return try FollowRun(command: self, bookmark: bookmark, environment: environment).run()
        }
        let context = try context(in: environment, bookmark.needsWriting ? .writing : .reading)
        let output: any ChangesOutput =
            delivery.command.map { CommandOutput($0, format: format, usesEpochTime: usesEpochTime) }
            ?? StandardChangesOutput(
                environment, format: format, usesEpochTime: usesEpochTime, saysToken: !bookmark.keepsToken)
        let end = try context.snapshot {
            var end: HistoryEnd?
            var descriptor = try relevance.descriptor(filter: filters.filter, in: context)
            descriptor.start = try bookmark.start(in: context, now: environment.now())
            try context.fetchHistory(descriptor, resyncs: place.onExpired == .resync) { event in
                if case .end(let last) = event { end = last }
                try output.write(event)
            }
            return end
        }
        try output.finish()
        if let end { try bookmark.keep(end.token, in: context) }
        return failsEmpty && end?.count == 0 ? .noRows : .success
    }

    private func acknowledge(
        _ text: String, _ bookmark: ReadPosition, _ environment: CommandEnvironment
    ) throws -> ExitStatus {
        let context = try context(in: environment, bookmark.needsWriting ? .writing : .reading)
        let token = try TokenArgument.resolve(text, in: context)
        if let fault = try context.fault(of: token) { throw CommandError.unusableToken(fault) }
        try bookmark.keep(token, in: context)
        return .success
    }
}
