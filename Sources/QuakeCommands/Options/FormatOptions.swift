import ArgumentParser

/// The format option of commands that report as text or JSON.
struct ReportOptions: ParsableArguments {
    @Option("-f --format <format>", "Report format.") var format: ReportFormat = .text
}

/// The format option of commands that report a table.
struct TableOptions: ParsableArguments {
    @Option("-f --format <format>", "Output format.") var format: TableFormat = .text
}

enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

enum TableFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv
}

extension OutputFormat: ExpressibleByArgument {
    init?(argument: String) { self.init(rawValue: ["jsonl": "ndjson", "text": "table"][argument] ?? argument) }
}
extension ChangesFormat: ExpressibleByArgument {
    init?(argument: String) { self.init(rawValue: ["jsonl": "ndjson", "text": "table"][argument] ?? argument) }
}
extension LengthUnit: ExpressibleByArgument {
    init?(argument: String) {
        let usual = ["metric": "km", "kilometers": "km", "imperial": "mi", "miles": "mi"]
        self.init(rawValue: usual[argument.lowercased()] ?? argument)
    }
}
