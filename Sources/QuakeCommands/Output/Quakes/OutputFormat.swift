import QuakeModel

/// The formats for quakes. A new format needs a case and a ``QuakeRenderer`` in ``rendering(of:display:sortedBy:)``.
enum OutputFormat: String, CaseIterable, Sendable {
    /// Columns for people; the only format that rounds numbers and cuts text.
    case table
    case json, ndjson, csv
    /// CSV that begins with U+FEFF, which Excel needs to read it as UTF-8.
    case csvForExcel = "csv-excel"
    case tsv, geojson, quakeml

    /// Returns the rendering of the requested fields, or of the default fields, which include the distance from the
    /// nearest site. In machine formats, the sites must come from the command line, so that the environment does
    /// not change what scripts read. A default table also shows `property`, which the quakes are sorted by.
    func rendering(
        of requested: FieldList?, display: DisplayStyle = DisplayStyle(), sortedBy property: QuakeProperty? = nil
    ) -> QuakeRendering {
        let list = requested ?? FieldList(fields: nil)
        let fields = self == .table ? list.fields(display) : list.fieldsForPrograms(display)
        switch self {
        case .table:
            let columns =
                requested == nil
                ? TableRenderer.defaultFields(sites: display.sites, sortedBy: property) : fields
            return QuakeRendering(fields: TableRenderer.fieldsToFetch(for: columns)) {
                TableRenderer(columns, writer: $0, style: $1)
            }
        case .json:
            return QuakeRendering(fields: fields) { JSONRenderer(fields, framing: .document, writer: $0, style: $1) }
        case .ndjson:
            return QuakeRendering(fields: fields) { JSONRenderer(fields, framing: .lines, writer: $0, style: $1) }
        case .csv, .csvForExcel, .tsv:
            let (delimiter, isMarked) = (self == .tsv ? Delimiter.tab : .comma, self == .csvForExcel)
            return QuakeRendering(fields: fields) {
                if isMarked { $0.append("\u{FEFF}") }
                return DelimitedRenderer(
                    fields, headings: list.headings, delimiter: delimiter, writer: $0, style: $1)
            }
        case .geojson:
            let fields = GeoJSONRenderer.fields(for: fields)
            return QuakeRendering(fields: fields) { GeoJSONRenderer(fields, writer: $0, style: $1) }
        case .quakeml: return QuakeRendering(fields: QuakeMLRenderer.fields) { QuakeMLRenderer(writer: $0, style: $1) }
        }
    }
}

/// A format for certain fields: the fields to fetch and the renderer that writes them.
struct QuakeRendering {
    /// The fields to fetch, in the order in which the renderer reads them.
    let fields: [QuakeField]
    let renderer: (ByteWriter, OutputStyle) -> any QuakeRenderer
}

/// Writes quakes in one format: `begin`, then `row` for each quake, then `end`.
///
/// A row is a function from the index of a field to its value. The fields are those of the ``QuakeRendering`` that
/// created the renderer. Text is valid only until `row` returns.
protocol QuakeRenderer: AnyObject {
    var writer: ByteWriter { get }
    /// Writes any text before the first row.
    func begin()
    func row(_ field: (Int) -> FieldValue) throws(OutputError)
    /// Writes any text after the last row and flushes.
    func end() throws(OutputError)
    /// A message naming the fields for which the terminal is too narrow; nil if there are none.
    var omission: String? { get }
}

extension QuakeRenderer {
    func begin() {}
    func end() throws(OutputError) { try writer.flush() }
    var omission: String? { nil }
}

extension FieldEncoding {
    init(_ field: QuakeField, _ style: OutputStyle) {
        self =
            switch field {
            case .property(let property): FieldEncoding(property)
            case .localTime: .local(style.display.time.secondWords)
            default: .plain
            }
    }
}
