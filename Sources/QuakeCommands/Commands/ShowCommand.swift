import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes show`: one quake in full, with how it was revised.
struct ShowCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one quake in full, and how it was revised.",
        discussion: """
            Any id the quake ever had finds it, whatever its case.

            EXAMPLES:
              quakes show us7000abcd
              quakes show us7000abcd --format json
              quakes show us7000abcd --at 2021-07-20
            """)

    @Argument(help: ArgumentHelp("An id the quake has or had.", valueName: "id"))
    var id: String

    @OptionGroup var past: PastOption

    @Option(name: .customLong("format"), help: ArgumentHelp("Text to read, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @Flag(name: .customLong("epoch"), help: "Times as epoch milliseconds instead of ISO 8601 (JSON only).")
    var usesEpochTime = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .reading)
        try past.pin(context, in: environment)
        let details = try context.snapshot { try QuakeDetails(id: id, in: context) }
        guard let details else { throw CommandError.unknownQuake(id) }
        let writer = ByteWriter(environment.standardOutput)
        switch format {
        case .text: details.writeText(writer)
        case .json: try details.write(JSONWriter(writer, usesEpochTime: usesEpochTime))
        }
        try writer.flush()
        return .success
    }
}
