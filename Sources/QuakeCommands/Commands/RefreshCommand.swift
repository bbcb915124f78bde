import ArgumentParser
import QuakeMirror

struct RefreshCommand: QuakesSubcommand {
    static let configuration = described(
        "refresh", "Update the cache from one or more feeds.",
        """
        A feed is the name of a USGS summary feed, a URL, a file, or - for standard input. The summary feeds are \
        significant, 4.5, 2.5, 1.0 and all, each with _hour, _day, _week or _month.

        Without an argument, fetches the feed that is due: all_month once a week, all_week once a day, all_day once an \
        hour, and otherwise all_hour. Use this form in cron.

        Files are applied in the order in which they were published, each in its own transaction. Files and URLs may \
        be GeoJSON or CSV with the columns of the USGS feeds. A quake missing from a CSV file is not treated as deleted.

        EXAMPLES:
          quakes refresh
          quakes refresh all_week 4.5_month
          quakes refresh --dry-run all_day
          curl -s https://example.org/all_day.geojson | quakes refresh -
          quakes refresh archive/*.geojson
          quakes refresh --published 2019-07-07T12:00Z all_month.csv
        """)

    @Argument(help: ArgumentHelp("A summary feed, a URL, a file, or -.", valueName: "feed"), completion: .feed)
    var feeds: [String] = []

    @Flag("--dry-run -n", "Report what would change; write nothing.") var dryRun = false

    @Option(
        "--published <time>",
        "Time at which USGS published the CSV file (default: the newest update time in it).",
        parsing: .unconditional, completion: .time, transform: TimeExpression.parse)
    var published: TimeExpression?

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Download") var download: RefreshOptions.Download
    @OptionGroup(title: "Unconfirmed changes") var confirmation: RefreshOptions.Confirmation
    @OptionGroup(title: "Event service") var service: RefreshOptions.Service
    @OptionGroup var recorded: AuthorOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sources = try feeds.map { try FeedSource(argument: $0) }
        let published = try moment(of: sources, in: environment)
        let endpoint = try download.endpoint(in: environment)
        var mirror = FeedMirror(try store(in: environment, for: .creating), transport: environment.transport)
        mirror.author = recorded.author(in: environment, standard: "quakes.refresh")
        mirror.settings = try confirmation.settings(in: environment)
        mirror.endpoint = endpoint
        mirror.deadline = download.deadline ?? .seconds(60)
        mirror.userAgent = Program.userAgent
        (mirror.service, mirror.serviceScope) = try service.service(in: environment)
        let run = MirrorRun(mirror, dryRun: dryRun, format: reporting.format, global, environment)
        if dryRun, sources.count > 1 {
            run.reporter.remark("each feed is compared with the cache as it is now, without the other feeds' changes")
        }
        do {
            return try run.perform {
                let status =
                    sources.isEmpty ? try refreshAsScheduled(mirror, run) : try apply(sources, published, mirror, run)
                // A user who refreshes only from files knows how old they are.
                let fetches = sources.isEmpty || sources.contains { if case .file = $0 { false } else { true } }
                if fetches, !dryRun, let words = staleWarning(mirror, environment) { run.reporter.writeLine(words) }
                return status
            }
        } catch  where CommandError(error).status == .tryLater {
            run.steps.print(error)
            return .tryLater
        }
    }

    private func refreshAsScheduled(_ mirror: FeedMirror, _ run: MirrorRun) throws -> ExitStatus {
        do {
            _ = try ScheduledRefresh(mirror, observer: run.observer).run(dryRun: dryRun)
        } catch let error as FeedError {
            // The observer has already reported this error.
            return CommandError(error).status
        }
        try run.observer.checkCancellation()
        return run.steps.failure
    }

    /// Returns the publication time given by `--published`; nil if none is given. Throws a usage error unless `sources`
    /// is one file or standard input.
    private func moment(of sources: [FeedSource], in environment: CommandEnvironment) throws -> Timestamp? {
        guard let published else { return nil }
        guard sources.count == 1, !sources[0].isRemote else {
            throw ValidationError("--published needs exactly one CSV file, or - for standard input.")
        }
        let moment = published.resolve(now: environment.now(), zone: try .chosen(nil, in: environment))
        guard moment <= environment.now() else { throw ValidationError("--published cannot be in the future.") }
        return moment
    }

    /// Applies every source in its own transaction. Returns the status of the first failure.
    private func apply(
        _ sources: [FeedSource], _ published: Timestamp?, _ mirror: FeedMirror, _ run: MirrorRun
    ) throws -> ExitStatus {
        try mirror.session(dryRun: dryRun, observer: run.observer) { session in
            var status = ExitStatus.success
            for (index, source) in SourceOrder.sorted(sources).enumerated() {
                run.steps.begin(source, index + 1, of: sources.count)
                do {
                    run.steps.show(try session.refresh(source, generated: published))
                    try run.observer.checkCancellation()
                } catch let error as FeedError {
                    run.steps.show(error, of: source, namesSource: sources.count > 1)
                    if status == .success { status = CommandError(error).status }
                }
            }
            return status
        }
    }

    /// Returns the warning about stale data if it is due. Returns nil otherwise, and if the warning cannot be recorded,
    /// because that must not fail the refresh.
    private func staleWarning(_ mirror: FeedMirror, _ environment: CommandEnvironment) -> String? {
        guard let context = try? QuakeContext(mirror.cache, access: .writing) else { return nil }
        return try? StaleWarning.due(in: context, now: environment.now())
    }
}
