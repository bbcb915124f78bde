import QuakeModel

/// A form of output for certain fields: which values it wants of each quake, and the renderer that takes them.
struct QuakeRendering {
    /// The fields to fetch, in the order in which the renderer asks for them.
    let fields: [QuakeProperty]
    /// Makes the renderer that writes in this form.
    let renderer: (ByteWriter, OutputStyle) -> any QuakeRenderer
}

extension OutputFormat {
    /// This form for the fields a user asked for, or for the form's own choice where there is no wish.
    ///
    /// The one place that knows every form: a new case does not compile until it has a renderer.
    func rendering(of wish: [QuakeProperty]?) -> QuakeRendering {
        let everything = QuakeProperty.allCases
        switch self {
        case .table:
            let fields = wish ?? TableRenderer.defaultFields
            return QuakeRendering(fields: fields) { TableRenderer(fields, writer: $0, style: $1) }
        case .json:
            let fields = wish ?? everything
            return QuakeRendering(fields: fields) { JSONRenderer(fields, framing: .document, writer: $0, style: $1) }
        case .ndjson:
            let fields = wish ?? everything
            return QuakeRendering(fields: fields) { JSONRenderer(fields, framing: .lines, writer: $0, style: $1) }
        case .csv:
            let fields = wish ?? everything
            return QuakeRendering(fields: fields) {
                DelimitedRenderer(fields, delimiter: .comma, writer: $0, style: $1)
            }
        case .tsv:
            let fields = wish ?? everything
            return QuakeRendering(fields: fields) { DelimitedRenderer(fields, delimiter: .tab, writer: $0, style: $1) }
        case .geojson:
            let fields = GeoJSONRenderer.fields(for: wish)
            return QuakeRendering(fields: fields) { writer, _ in GeoJSONRenderer(fields, writer: writer) }
        }
    }
}
