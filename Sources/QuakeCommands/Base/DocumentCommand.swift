/// A command that prints a document, which `--output` writes to a file.
protocol DocumentCommand: QuakesSubcommand {
    associatedtype Format: RawRepresentable<String>, CaseIterable

    var output: OutputOption { get }
    /// The format given with `--format`.
    var chosenFormat: Format? { get }
    /// Whether an option such as `--template` says what is printed, so that the extension of the file means nothing.
    var isFreeform: Bool { get }
    /// Whether the file must not exist, because no later run would print its content again.
    var needsNewFile: Bool { get }
}

extension DocumentCommand {
    var isFreeform: Bool { false }
    var needsNewFile: Bool { false }

    /// The format that `--format` or the extension of the file states; nil if neither does.
    var statedFormat: Format? {
        if chosenFormat != nil || isFreeform { return chosenFormat }
        return output.fileExtension?.format(Format.self)
    }

    /// Throws a usage error if the format of the file is unknown, or `--format` does not fit its extension.
    func requireFormatOfFile() throws {
        guard let fileExtension = output.fileExtension else { return }
        guard !isFreeform else { return }
        try fileExtension.requireOwn(of: Array(Format.allCases))
        if let chosenFormat {
            try fileExtension.require(chosenFormat)
        } else {
            try fileExtension.requireFormat(of: Array(Format.allCases))
        }
    }

    /// Writes the document to the file of `--output` if there is one. If the command fails, the file stays as it was.
    func perform(in environment: CommandEnvironment) throws -> ExitStatus {
        guard let path = output.path else { return try execute(in: environment) }
        try OutputPath(path: path, origin: "--output").requireFree(global, in: environment)
        let file = try DocumentFile(at: path, mustBeNew: needsNewFile, insteadOf: environment.standardOutput)
        var inner = environment
        inner.standardOutput = file.stream
        inner.document = file
        let status: ExitStatus
        do {
            status = try execute(in: inner)
            try file.takePlace()
        } catch {
            file.discard()
            throw file.naming(error)
        }
        if environment.standardOutput.isTerminal {
            global.remark(file.report, in: environment)
        } else if let report = file.report {
            global.tell(report, in: environment)
        }
        return status
    }
}
