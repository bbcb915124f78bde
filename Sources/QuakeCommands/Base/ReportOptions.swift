import ArgumentParser

/// The format option of commands that print a report as text or JSON.
struct ReportOptions: ParsableArguments {
    enum Format: String, WordArgument {
        case text, json
    }

    @Option("-f --format <format>", "Report format.") var format: Format = .text
}
