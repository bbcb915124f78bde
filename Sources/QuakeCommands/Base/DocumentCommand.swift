import QuakeSystem

/// A command that prints a document, which `--output` writes to a file.
protocol DocumentCommand: QuakesSubcommand {
    associatedtype Format: RawRepresentable<String>, CaseIterable

    var output: OutputOption { get }
    /// The format given with `--format`.
    var chosenFormat: Format? { get }
    /// Whether an option such as `--template` determines the output, so that the file extension has no meaning.
    var isFreeform: Bool { get }
    /// Whether an existing file must not be replaced, because no later run can print its content again.
    var needsNewFile: Bool { get }
}

extension DocumentCommand {
    var isFreeform: Bool { false }
    var needsNewFile: Bool { false }

    /// The format given by `--format` or the file extension; nil if neither gives one.
    var statedFormat: Format? {
        if chosenFormat != nil || isFreeform { return chosenFormat }
        return output.fileExtension?.format(Format.self)
    }

    /// Throws a usage error if neither `--format` nor the file extension gives a format, or if they contradict each
    /// other.
    func requireFormatOfFile() throws {
        guard let fileExtension = output.fileExtension else { return }
        // A directory is refused when the file is opened.
        guard !isFreeform, output.path.map(FileLocation.isDirectory) != true else { return }
        try fileExtension.requireOwn(of: Array(Format.allCases))
        if let chosenFormat {
            try fileExtension.require(chosenFormat)
        } else {
            try fileExtension.requireFormat(of: Array(Format.allCases))
        }
    }

    /// Runs the command and writes its output to the file of `--output`, if given. If the command fails, the file is
    /// unchanged.
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
            try file.moveIntoPlace()
        } catch {
            file.discard()
            throw file.addingPath(to: error)
        }
        if environment.standardOutput.isTerminal {
            global.remark(file.report, in: environment)
        } else if let report = file.report {
            global.remarkIfVerbose(report, in: environment)
        }
        return status
    }
}
