import ArgumentParser

/// The forms in which quakes are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Columns for reading; the only form that rounds, cuts and replaces.
    case table
    /// One JSON array.
    case json
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values, RFC 4180.
    case csv
    /// Tab-separated values.
    case tsv
    /// A GeoJSON FeatureCollection.
    case geojson
}

/// What every form is told about the way to write.
struct OutputStyle {
    /// Moments as epoch milliseconds instead of ISO 8601.
    var usesEpochTime = false
    /// Columns of the terminal that reads along; nil where none does.
    var terminalColumns: Int?
    /// Whether colour may be used.
    var usesColor = false
}

extension OutputStyle {
    /// The style for what `stream` is connected to.
    init(_ stream: StandardStream, usesEpochTime: Bool, usesColor: Bool) {
        self.init(
            usesEpochTime: usesEpochTime, terminalColumns: stream.isTerminal ? stream.terminalColumns : nil,
            usesColor: usesColor)
    }
}
