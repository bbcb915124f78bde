import ArgumentParser
import QuakeOutput

/// The option of every command that reports as text or as JSON.
struct ReportOptions: ParsableArguments {
    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp("The format of the report: text or JSON.", valueName: "format"))
    var format: ReportFormat = .text
}

extension ReportFormat: ExpressibleByArgument {}
extension OutputFormat: ExpressibleByArgument {}
extension ChangesFormat: ExpressibleByArgument {}
extension LengthUnit: ExpressibleByArgument {}
