package import QuakeModel

package enum ChangesFormat: String, CaseIterable, Sendable {
    case table, json, ndjson
    /// Comma-separated values. The token goes to standard error unless it is kept.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is kept.
    case tsv

    /// The renderer for this format. A new format does not compile until it has a renderer here.
    package func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .table: ChangesTableRenderer(writer: writer, style: style)
        case .json: ChangesJSONRenderer(writer: writer, framing: .document, style: style)
        case .ndjson: ChangesJSONRenderer(writer: writer, framing: .lines, style: style)
        case .csv: ChangesDelimitedRenderer(writer: writer, delimiter: .comma, style: style)
        case .tsv: ChangesDelimitedRenderer(writer: writer, delimiter: .tab, style: style)
        }
    }
}

/// How changes are written: in a format, or as a template describes it.
package enum ChangesRendering {
    case format(ChangesFormat)
    case template(OutputTemplate, remarks: StandardStream)

    package func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .format(let format): format.renderer(writer, style)
        case .template(let template, let remarks):
            ChangesTemplateRenderer(template, writer: writer, remarks: remarks, style: style)
        }
    }

    /// Whether it is a table.
    package var isForPeople: Bool {
        if case .format(.table) = self { true } else { false }
    }
}

/// Writes the events of a history in one format.
package protocol ChangesRenderer: AnyObject {
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Says that everything up to `token` was written. Only for formats that `--follow` can write.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes what follows the last event, and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    package func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

extension HistoryEnd {
    /// How many quakes `--max-origin-age` left out; nil if none.
    var skippedWords: String? { skipped > 0 ? "\(skipped.grouped) skipped (too old)" : nil }

    /// The last line of the formats that have no record for the end.
    var aside: String {
        let counts = [count.counted("change"), skippedWords, hasMore ? "more follow" : nil].compactMap(\.self)
        return "\(counts.joined(separator: ", ")); token \(token)\n"
    }
}
