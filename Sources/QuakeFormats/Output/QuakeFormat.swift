public import FoundationEssentials
public import QuakeModel

/// A machine-readable format for quakes, the same as in `quakes list`, byte for byte. All formats use UTF-8.
public enum QuakeFormat: String, CaseIterable, Sendable {
    /// An array of objects, one per line. Members are named by the raw values of ``/QuakeModel/QuakeProperty``. Times
    /// are ISO 8601 in UTC, sets are arrays, and a missing value is null.
    case json
    /// The objects of ``json``, one per line, without an array (JSON Lines).
    case ndjson
    /// Comma-separated values (RFC 4180) after a header line with the names of the properties. Times are ISO 8601, and
    /// the members of a set are separated by spaces. A missing value is empty; empty text is `""`.
    case csv
    /// Tab-separated values with the same header. In text, a tab is written `\t`, a line break `\n` or `\r`, and a
    /// backslash `\\`.
    case tsv
    /// A GeoJSON feature collection (RFC 7946), with features like those in the USGS feeds.
    case geojson
    /// QuakeML 1.2, Basic Event Description. Resource names are the same as in the QuakeML from USGS.
    case quakeml

    /// Returns a document with `quakes`. For the parameters, see
    /// ``QuakeOutput/init(_:properties:title:generated:write:)``. To write solutions, or lists too long for memory, use
    /// ``QuakeOutput``.
    public func data(
        _ quakes: some Sequence<Quake>, properties: [QuakeProperty] = [], title: String? = nil,
        generated: Timestamp? = nil
    ) -> Data {
        let document = QuakeDocument(self, properties, title: title, generated: generated)
        for quake in quakes { document.append(quake, nil) }
        document.end()
        return Data(document.output.bytes)
    }

    /// Returns a renderer that appends to `output`. A new format does not compile until it has a renderer here.
    package func renderer(
        of fields: [QuakeField], into output: ByteBuffer, _ style: RecordStyle
    ) -> any QuakeRenderer {
        switch self {
        case .json: JSONRenderer(fields, .document, into: output, style)
        case .ndjson: JSONRenderer(fields, .lines, into: output, style)
        case .csv: DelimitedRenderer(fields, .comma, into: output, style)
        case .tsv: DelimitedRenderer(fields, .tab, into: output, style)
        case .geojson: GeoJSONRenderer(fields, into: output, style)
        case .quakeml: QuakeMLRenderer(into: output, style)
        }
    }
}
