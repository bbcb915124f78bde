import ArgumentParser

/// The forms of a report about what was done.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A line to read.
    case text
    /// One JSON object.
    case json
}
