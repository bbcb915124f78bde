import ArgumentParser
import QuakeFeed
import QuakeModel
import QuakeStore

/// `quakes status`: shows how current the cache is, what it contains, and how far back its history goes.
struct StatusCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how current the cache is, what it contains, and how far back its history goes.",
        discussion: """
            EXAMPLES:
              quakes status
              quakes status --max-age 10m || echo "the cache is stale"
              quakes status --format json
              quakes status --at 7d
              quakes status --forget "query: M ≥ 4.5, 1990–2000"
            """)

    @OptionGroup var past: PastOption

    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp("Text for people, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @Option(
        name: .customLong("max-age"),
        help: ArgumentHelp(
            "Exit with status 5 if no feed was refreshed successfully within this time, such as 10m.",
            valueName: "duration"),
        transform: DurationArgument.parse)
    var maximumAge: DurationArgument?

    @Option(
        name: .customLong("forget"),
        help: ArgumentHelp(
            "Forget this feed, file or query, by the name that the status shows; its quakes stay.", valueName: "name"),
        completion: .source)
    var forgotten: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if forgotten != nil, maximumAge != nil || past.point != nil {
            throw ValidationError("--forget excludes --max-age and --at.")
        }
        if maximumAge != nil, past.point != nil { throw ValidationError("--max-age and --at exclude each other.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        if let forgotten {
            try forget(forgotten, in: context(in: environment, .writing))
            return .success
        }
        let context = try context(in: environment, .reading)
        try past.pin(context, in: environment)
        let status = try StatusReport(context, now: environment.now(), isPast: past.point != nil)
        let pager = global.pager(in: environment, forPeople: format == .text)
        let writer = pager.writer()
        if !global.isQuiet || format == .json {
            switch format {
            case .text: status.writeText(WrappedLines(writer, columns: environment.standardOutput.columnsOfTerminal))
            case .json: try status.write(JSONWriter(writer))
            }
            try writer.flush()
            try pager.finish()
        }
        guard let maximumAge else { return .success }
        guard let fresh = status.lastSuccess, status.now - fresh <= maximumAge.duration else { return .stale }
        return .success
    }
}

extension StatusCommand {
    /// Forgets the source with this name, or else with this title.
    private func forget(_ name: String, in context: QuakeContext) throws {
        let text = WebAddress.redactedText(name)
        if try context.forgetFeed(named: text) { return }
        let names = try context.feeds().filter { $0.title == text }.map(\.name)
        guard names.count < 2 else { throw CommandError.ambiguousSource(text, candidates: names) }
        guard let name = names.first, try context.forgetFeed(named: name) else {
            throw CommandError.unknownSource(text)
        }
    }
}
