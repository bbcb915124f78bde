import ArgumentParser
import QuakeSystem

/// The option for the file to write instead of standard output.
struct OutputOption: ParsableArguments {
    @Option("-o --output <file>", "Write to this file; its extension sets the default format.", completion: .file())
    var path: String?

    func validate() throws {
        if let path, path == "-" || path.isBlank {
            throw ValidationError(
                "Without --output, the output goes to standard output; for a file named \(path), write "
                    + "\("./\(path)".shellWord).")
        }
    }

    /// The file's extension; nil without a file.
    var fileExtension: FileExtension? { path.map(FileExtension.init(of:)) }
}
