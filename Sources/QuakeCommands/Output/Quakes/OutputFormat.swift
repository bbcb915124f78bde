import ArgumentParser
import QuakeModel

/// The formats for quakes. A new format needs a case and a ``QuakeRenderer`` in ``renderer(of:_:_:sortedBy:)``.
enum OutputFormat: String, WordArgument, Sendable {
    /// Columns for people; the only format that rounds numbers and cuts text.
    case table
    case json, ndjson, csv
    /// CSV that begins with U+FEFF, which Excel needs to read it as UTF-8.
    case csvForExcel = "csv-excel"
    case tsv, geojson, quakeml

    static let synonyms = ["jsonl": OutputFormat.ndjson, "text": .table]

    /// Returns the renderer of the requested fields, or of the default fields, which include the distance from the
    /// nearest site. In machine formats, the sites must come from the command line, so that the environment does
    /// not change what scripts read. A default table also shows `property`, which the quakes are sorted by.
    func renderer(
        of requested: FieldList?, _ writer: ByteWriter, _ style: OutputStyle, sortedBy property: QuakeProperty? = nil
    ) -> any QuakeRenderer {
        let list = requested ?? FieldList(fields: nil)
        let fields = list.fieldsForPrograms(style.display)
        switch self {
        case .table:
            let columns =
                requested?.fields(style.display)
                ?? TableRenderer.defaultFields(sites: style.display.sites, sortedBy: property)
            return TableRenderer(columns, writer: writer, style: style)
        case .json: return JSONRenderer(fields, framing: .document, writer: writer, style: style)
        case .ndjson: return JSONRenderer(fields, framing: .lines, writer: writer, style: style)
        case .csv, .csvForExcel, .tsv:
            if self == .csvForExcel { writer.append("\u{FEFF}") }
            return DelimitedRenderer(
                fields, headings: list.headings, delimiter: self == .tsv ? .tab : .comma, writer: writer, style: style)
        case .geojson: return GeoJSONRenderer(fields, writer: writer, style: style)
        case .quakeml: return QuakeMLRenderer(writer: writer, style: style)
        }
    }
}
