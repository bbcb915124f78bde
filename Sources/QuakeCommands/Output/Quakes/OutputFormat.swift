import ArgumentParser
import QuakeFormats
import QuakeModel

/// The formats for quakes: the table, and those of ``/QuakeFormats/QuakeFormat``.
enum OutputFormat: String, WordArgument, Sendable {
    /// Columns for people. Only this format rounds numbers and shortens text.
    case table
    case json, ndjson, csv
    /// CSV that begins with the byte order mark U+FEFF, without which Excel does not read it as UTF-8.
    case csvForExcel = "csv-excel"
    case tsv, geojson, quakeml

    static let synonyms = ["jsonl": OutputFormat.ndjson, "text": .table]

    /// Returns the renderer of the requested or default fields. In a table, the default fields include the distance, if
    /// there are sites, and `property`, by which the quakes are sorted. In machine-readable formats, only sites from
    /// the command line add fields, so that the environment does not change what scripts read.
    func renderer(
        of requested: FieldList?, _ writer: ByteWriter, _ style: OutputStyle, sortedBy property: QuakeProperty? = nil
    ) -> any QuakeRenderer {
        guard let format = recordFormat else {
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

    /// The machine-readable format; nil for the table.
    private var recordFormat: QuakeFormat? {
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
