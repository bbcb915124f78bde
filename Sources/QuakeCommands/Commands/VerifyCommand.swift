import ArgumentParser
import QuakeStore
import QuakeSystem

struct VerifyCommand: QuakesSubcommand {
    static let configuration = described(
        "verify", "Check the integrity of the cache.",
        """
        Checks that the file's pages are intact, that every row matches its checksum, that replaying the history \
        gives the current values, and that every id leads to its quake. Writes nothing. If the cache is damaged, \
        prints a line for each problem, at most 20 per check, and exits with status 74.

        EXAMPLES:
          quakes verify
          quakes verify --full /backup/quakes.db
        """)

    @Argument(
        help: ArgumentHelp("The cache or backup to check (default: the cache).", valueName: "file"),
        completion: .file(extensions: ["db"]))
    var file: String?

    @Flag("--full", "Compare every index with its table too (slower).") var isFull = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var selected: GlobalOptions

    var global: GlobalOptions {
        guard let file else { return selected }
        var options = selected
        options.databasePath = file
        return options
    }

    func validate() throws {
        if file != nil, selected.databasePath != nil { throw ValidationError("A file and --db cannot be combined.") }
        if file?.isBlank == true { throw ValidationError("The file name is empty.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let found = try verify(in: environment)
        let writer = environment.writer(forPeople: reporting.format == .text)
        switch reporting.format {
        case .text: if !global.isQuiet || !found.isSound { found.writeText(writer) }
        case .json: try JSONWriter().line(found.record, to: writer)
        }
        try writer.flush()
        guard !found.isSound else { return .success }
        let path = try global.databasePath(in: environment, for: .reading)
        throw CommandError(
            "\(path) is damaged: \(found.total.counted("problem")).", CommandError.remedyForDamage, .storageFailure)
    }

    /// Checks the cache. If `file` does not exist or is empty, throws an error that does not suggest to create a cache,
    /// because the file is probably a backup.
    private func verify(in environment: CommandEnvironment) throws -> VerificationReport {
        do {
            return try context(in: environment, .reading).maintenance.verify(full: isFull)
        } catch StoreError.noCache(let path) where file != nil {
            let isEmpty = FileLocation.status(of: path) != nil
            throw CommandError(
                isEmpty ? "\(path) is empty." : "There is no file \(path).", "Check the path.", .noCache)
        }
    }
}

extension VerificationReport {
    /// The number of problems found, including those that are not listed.
    fileprivate var total: Int { findings.count + omitted }

    fileprivate func writeText(_ writer: ByteWriter) {
        for finding in findings {
            writer.append(TerminalText.sanitized("\(finding.check.rawValue): \(finding.detail)") + "\n")
        }
        if omitted > 0 { writer.append("and \(omitted) more\n") }
        guard isSound else { return }
        let counts = [
            quakes.counted("quake"), aliases.counted("id"), transactions.counted("transaction"),
            changes.counted("change"),
        ]
        writer.append("OK: \(counts.joined(separator: ", "))\n")
    }

    fileprivate var record: Record {
        [
            "sound": isSound, "token": token?.description, "quakes": quakes, "ids": aliases,
            "transactions": transactions, "changes": changes,
            "findings": findings.map { ["check": $0.check.rawValue, "detail": $0.detail] as Record },
            "omitted": omitted,
        ]
    }
}
