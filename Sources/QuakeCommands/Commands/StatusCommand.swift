import ArgumentParser
import QuakeMirror

struct StatusCommand: DocumentCommand {
    static let configuration = described(
        "status", "Show how current the cache is, its contents, and any problems.",
        """
        EXAMPLES:
          quakes status
          quakes status --max-age 10m || echo "the cache is stale"
          quakes status --check --max-age 1h
          quakes status --format json
          quakes status --format json | jq -r '.problems[].code'
          quakes status --output quakes.prom
          quakes status --at 7d
          quakes status --forget archive/a.geojson
        """)

    @OptionGroup var past: PastOption
    @OptionGroup var timeZone: TimeZoneOption

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Report format (default: text).") var chosenFormat: StatusFormat?

    @Option(
        "--max-age <duration>",
        """
        Exit with status 5 and report a problem if the last successful refresh, or the newest data, is older than \
        this, such as 10m.
        """, transform: Duration.parse)
    var maximumAge: Duration?

    @Flag(
        "--check",
        """
        Print one line for a monitor such as Nagios, and exit with status 0 (OK), 1 (warning), 2 (critical) or 3 \
        (unknown).
        """)
    var isCheck = false

    @Option(
        "--forget <name>",
        "Stop tracking this feed, file or query (use its name from the report). Its quakes stay.",
        completion: .source)
    var forgotten: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: StatusFormat { statedFormat ?? .text }

    func validate() throws {
        if isCheck, chosenFormat != nil || past.point != nil || forgotten != nil || output.path != nil {
            throw ValidationError("--check cannot be combined with --format, --at, --forget or --output.")
        }
        if forgotten != nil, maximumAge != nil || past.point != nil || output.path != nil {
            throw ValidationError("--forget cannot be combined with --max-age, --at or --output.")
        }
        try requireFormatOfFile()
        if format == .prometheus, past.point != nil {
            throw ValidationError("--format prometheus and --at cannot be combined.")
        }
        if maximumAge != nil, past.point != nil { throw ValidationError("--max-age and --at cannot be combined.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        if let forgotten {
            try forget(forgotten, in: context(in: environment, .writing))
            return .success
        }
        let status = try report(in: environment)
        let writer = environment.writer(forPeople: format == .text)
        switch format {
        case .text where global.isQuiet && output.path == nil: break
        case .text:
            let lines = WrappedLines(writer, columns: environment.standardOutput.columnsIfTerminal)
            status.facts.write(lines, isVerbose: global.isVerbose)
        case .json: try JSONWriter().line(status.facts.record, to: writer)
        case .prometheus: status.facts.writeMetrics(writer)
        }
        try writer.flush()
        let isStale = status.problems.contains { [.neverRefreshed, .stale].contains($0.code) }
        return maximumAge != nil && isStale ? .stale : .success
    }

    func exitCode(in environment: CommandEnvironment) -> ExitCode {
        guard isCheck else { return runReportingErrors(in: environment).exitCode }
        let answer: MonitorAnswer
        do {
            answer = MonitorAnswer(try report(in: environment))
        } catch { answer = MonitorAnswer(error) }
        return answer.write(to: environment.standardOutput)
    }

    private func report(in environment: CommandEnvironment) throws -> StatusReport {
        let context = try context(in: environment, .reading)
        try past.pin(context, in: environment, zone: timeZone.zone(in: environment))
        var limits = ProblemLimits()
        if let maximumAge { (limits.age, limits.dataAge) = (maximumAge, maximumAge) }
        return try StatusReport(
            context, now: environment.now(), isPast: past.point != nil, limits: limits,
            command: command(for: context.cache.path, in: environment))
    }

    /// Returns the form of suggested commands that use the cache at `path`.
    private func command(for path: String, in environment: CommandEnvironment) -> SuggestedCommand {
        if global.databasePath != nil { return SuggestedCommand(path: path) }
        guard path != (try? global.databasePath(in: environment, for: .writing)) else { return SuggestedCommand() }
        return SuggestedCommand(path: path, user: "quakes")
    }

    private func forget(_ name: String, in context: QuakeContext) throws {
        let name = WebAddress.redactedText(name)
        guard try context.forgetFeed(named: name) else {
            throw CommandError(
                "No feed, file or query \"\(WebAddress.shortened(name))\" has been read.",
                "`quakes status` lists those that have been read.", .noRows)
        }
    }
}

enum StatusFormat: String, WordArgument, Sendable {
    case text, json, prometheus
}
