public import FoundationEssentials
public import QuakeModel

/// A machine-readable format for changes, the same as in `quakes changes`, byte for byte. All formats use UTF-8.
public enum ChangeFormat: String, CaseIterable, Sendable {
    /// An array of objects, one per line. Each can be decoded as a ``/QuakeModel/HistoryEvent``.
    case json
    /// The objects of ``json``, one per line, without an array (JSON Lines).
    case ndjson
    /// Comma-separated values with two columns for each property, such as `mag_before` and `mag_after`. Values are
    /// written as in ``QuakeFormat/csv``. The end event, and thus its token, is not written.
    case csv
    /// Tab-separated values with the columns of ``csv``.
    case tsv

    /// Returns a document with `events`, which should be all events of a response. For `properties`, see
    /// ``ChangeOutput/init(_:properties:write:)``.
    public func data(_ events: some Sequence<HistoryEvent>, properties: [QuakeProperty] = []) -> Data {
        let output = ByteBuffer()
        let renderer = renderer(into: output, comparing: properties)
        for event in events { renderer.write(event) }
        renderer.end()
        return Data(output.bytes)
    }

    /// Returns a renderer. In CSV and TSV, it writes the values of `properties` before and after each change; empty for
    /// all.
    func renderer(into output: ByteBuffer, comparing properties: [QuakeProperty]) -> any HistoryRenderer {
        var style = RecordStyle()
        if !properties.isEmpty { style.comparedProperties = properties }
        return renderer(into: output, style)
    }

    /// Returns a renderer that appends to `output`. A new format does not compile until it has a renderer here.
    package func renderer(into output: ByteBuffer, _ style: RecordStyle) -> any HistoryRenderer {
        switch self {
        case .json: ChangesJSONRenderer(.document, into: output, style)
        case .ndjson: ChangesJSONRenderer(.lines, into: output, style)
        case .csv: ChangesDelimitedRenderer(.comma, into: output, style)
        case .tsv: ChangesDelimitedRenderer(.tab, into: output, style)
        }
    }
}
