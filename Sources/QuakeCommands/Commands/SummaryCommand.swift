import ArgumentParser
import QuakeStore

struct SummaryCommand: FilteringCommand, DocumentCommand {
    static let configuration = described(
        "summary", "Summarize the quakes in the cache: counts, largest, b-value, revisions.",
        """
        Reports counts by magnitude, type, region, network, review status and time; the largest and the deepest \
        quake, and the one with the most felt reports; the magnitude of completeness (Mc) and the Gutenberg-Richter \
        b-value with its uncertainty; and how often quakes were revised, renamed and retracted.

        EXAMPLES:
          quakes summary --since 7d
          quakes summary --since 30d --min-mag 2.5 --by region
          quakes summary --type earthquake --by depth --units mi
          quakes summary --since 30d --by day --tz America/Los_Angeles --format csv
          quakes summary --near Tokyo --radius 300km --since 2011-03 --until 2011-05
          quakes summary --type earthquake --magtype ml --net ci
          quakes summary --at published:2021-07-22 --format json
        """)

    @OptionGroup(title: "Which quakes") var filters: FilterOptions
    @OptionGroup(title: "Origin time") var origin: OriginTimeOptions
    @OptionGroup var past: PastOption

    @Option(
        "--by <group>",
        """
        Instead of the report, print a table of counts by hour, day, week or month (in the zone of --tz), mag (bins \
        of 0.5), depth (bins of 10 km or miles), region, type or network.
        """)
    var group: GroupedSummary.Group?

    @OptionGroup var output: OutputOption
    @Option("-f --format <format>", "Report format (default: text).") var chosenFormat: TableOptions.Format?
    @Flag("--fail-empty", "Exit with status 4 if nothing matches.", visibility: .hidden) var failsEmpty = false

    @OptionGroup(title: "Display") var display: DisplayOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private var format: TableOptions.Format { statedFormat ?? .text }

    func validate() throws {
        try filters.requireUseOfCenter()
        try requireFormatOfFile()
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let sites = try filters.sites(in: environment, global)
        var filter = try filters.filter(from: sites)
        var display = try display.style(in: environment, sites: sites)
        if format != .text { display.unit = .km }
        let zone = display.timeZone
        let context = try filledContext(in: environment)
        let now = try past.pin(context, in: environment, zone: zone)
        try origin.restrict(&filter, now: now, zone: zone)
        global.remark(try filters.checkValues(in: context), in: environment)
        let moment = past.moment(for: origin, in: environment, zone: zone)
        let writer = environment.writer(forPeople: format == .text)
        let count: Int
        if let group {
            let table = try context.snapshot {
                try GroupedSummary(by: group, filter, in: context, display, now: environment.now())
            }
            try table.write(format, writer, OutputStyle(environment, global))
            count = table.count
        } else {
            let report = try context.snapshot { try SummaryReport(filter, in: context, display, at: moment) }
            let sentence = SummarySentence(report, center: sites.isEmpty ? nil : sites.names).text
            switch format {
            case .text:
                report.writeText(
                    WrappedLines(writer, columns: environment.standardOutput.columnsIfTerminal), sentence,
                    usesUnicode: environment.standardOutput.usesUnicode)
            case .json: try JSONWriter().line(report.record(sentence), to: writer)
            case .csv: report.writeCSV(writer, OutputStyle(environment, global))
            }
            count = report.summary.count
        }
        try writer.flush()
        if format != .text { global.remark(self.display.unitRemark(for: format.rawValue), in: environment) }
        global.remark(try filters.regionHint(for: filter, in: context), in: environment)
        global.remark(try context.roundingRemark(for: filter), in: environment)
        try global.remarkMissing(in: context.withStart(filter), of: context, at: moment, zone: zone, environment)
        return failsEmpty && count == 0 ? .noRows : .success
    }
}
