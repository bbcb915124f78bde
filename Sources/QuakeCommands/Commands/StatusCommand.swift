import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes status`: how fresh the cache is, what it holds, how far its history reaches.
struct StatusCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how fresh the cache is, what it holds, and how far its history reaches.",
        discussion: """
            EXAMPLES:
              quakes status
              quakes status --max-age 10m || echo "the mirror is stale"
              quakes status --format json
              quakes status --at 7d
            """)

    @OptionGroup var past: PastOption

    @Option(name: .customLong("format"), help: ArgumentHelp("Text to read, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @Option(
        name: .customLong("max-age"),
        help: ArgumentHelp(
            "Exit with status 5 when the last good answer of every feed is older.", valueName: "duration"),
        transform: DurationArgument.parse)
    var maximumAge: DurationArgument?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if maximumAge != nil, past.place != nil { throw ValidationError("--max-age and --at exclude each other.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .reading)
        try past.pin(context, in: environment)
        let status = try CacheStatus(context, now: environment.now(), isPast: past.place != nil)
        let writer = ByteWriter(environment.standardOutput)
        if !global.isQuiet || format == .json {
            switch format {
            case .text: status.writeText(writer)
            case .json: try status.write(JSONWriter(writer))
            }
            try writer.flush()
        }
        guard let maximumAge else { return .success }
        guard let fresh = status.lastSuccess, status.now - fresh <= maximumAge.duration else { return .stale }
        return .success
    }
}
