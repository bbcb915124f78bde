import ArgumentParser

/// The format option of commands that print a table.
struct TableOptions: ParsableArguments {
    enum Format: String, WordArgument {
        case text, json, csv
    }

    @Option("-f --format <format>", "Output format.") var format: Format = .text
}
