public import FoundationEssentials
public import QuakeModel

/// A format in which programs read changes: those of `quakes changes`, byte for byte. All are UTF-8.
public enum ChangeFormat: String, CaseIterable, Sendable {
    /// An array of objects, one on each line. A ``/QuakeModel/HistoryEvent`` can be decoded from each.
    case json
    /// The objects of ``json``, one on each line (JSON Lines).
    case ndjson
    /// Comma-separated values with two columns for each property, such as `mag_before` and `mag_after`. Values are
    /// written as in ``QuakeFormat/csv``. The end of the response, and so its token, is not written.
    case csv
    /// Tab-separated values with the columns of ``csv``.
    case tsv

    /// Returns a document with `events`. See ``ChangeOutput`` for the parameters.
    public func data(_ events: some Sequence<HistoryEvent>, properties: [QuakeProperty] = []) -> Data {
        let output = ByteBuffer()
        let renderer = renderer(into: output, comparing: properties)
        for event in events { renderer.write(event) }
        renderer.end()
        return Data(output.bytes)
    }

    /// Returns a renderer whose flat formats compare `properties`; empty for all.
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
