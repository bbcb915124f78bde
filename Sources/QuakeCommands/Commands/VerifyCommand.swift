import ArgumentParser
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes verify`: checks the whole cache.
struct VerifyCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", _superCommandName: QuakesCommand.name,
        abstract: "Check the whole cache: its pages, its tables, and the history against the values.",
        discussion: """
            Checks that the pages of the file are in order, that the changes of the history lead to the present values, \
            that every id leads to its quake, and that tokens can be followed. Writes nothing. Exits with status 74 \
            and one line for each finding if anything is wrong.

            EXAMPLES:
              quakes verify
              quakes verify --full --db /backup/quakes.db
            """)

    @Flag(name: .customLong("full"), help: "Also compare every index with its table, which takes longer.")
    var isFull = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let found = try context(in: environment, .reading).maintenance.verify(full: isFull)
        let stream = environment.standardOutput
        let writer = reporting.format == .text ? stream.writerForPeople : ByteWriter(stream)
        switch reporting.format {
        case .text: if !global.isQuiet || !found.isSound { found.writeText(writer) }
        case .json: try found.write(JSONWriter(writer))
        }
        try writer.flush()
        guard !found.isSound else { return .success }
        throw CommandError.unsoundCache(
            path: global.databasePath(in: environment, for: .reading), findings: found.total)
    }
}

extension Verification {
    /// How many findings there are, also those that are not named.
    fileprivate var total: Int { findings.count + omitted }

    fileprivate func writeText(_ writer: ByteWriter) {
        for finding in findings {
            writer.append(sanitized: "\(finding.check.rawValue): \(finding.detail)")
            writer.append("\n")
        }
        if omitted > 0 { writer.append("and \(omitted) more\n") }
        guard isSound else { return }
        let counts = [
            quakes.counted("quake"), aliases.counted("id"), transactions.counted("transaction"),
            changes.counted("change"),
        ]
        writer.append("sound: \(counts.joined(separator: ", "))\n")
    }

    fileprivate func write(_ json: JSONWriter) throws(OutputError) {
        json.object {
            json.member("sound", isSound)
            json.member("token", token?.description)
            json.member("quakes", quakes)
            json.member("ids", aliases)
            json.member("transactions", transactions)
            json.member("changes", changes)
            json.array("findings") {
                for finding in findings {
                    json.object {
                        json.member("check", finding.check.rawValue)
                        json.member("detail", finding.detail)
                    }
                }
            }
            json.member("omitted", omitted)
        }
        try json.endLine()
    }
}
