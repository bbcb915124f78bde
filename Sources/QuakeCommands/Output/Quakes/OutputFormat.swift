import ArgumentParser
import QuakeFormats
import QuakeModel

/// The formats for quakes: the table, and those of ``/QuakeFormats/QuakeFormat``.
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
        guard let format = ofRecords else {
            let columns =
                requested?.fields(style.display)
                ?? TableRenderer.defaultFields(sites: style.display.sites, sortedBy: property)
            return TableRenderer(columns, writer: writer, style: style)
        }
        if self == .csvForExcel { writer.append("\u{FEFF}") }
        let list = requested ?? FieldList(fields: nil)
        var records = style.forRecords
        records.headings = list.headings ?? []
        return format.renderer(of: list.fieldsForPrograms(style.display), into: writer.pending, records)
    }

    /// The machine format; nil for the table.
    private var ofRecords: QuakeFormat? {
        switch self {
        case .table: nil
        case .json: .json
        case .ndjson: .ndjson
        case .csv, .csvForExcel: .csv
        case .tsv: .tsv
        case .geojson: .geojson
        case .quakeml: .quakeml
        }
    }
}
