import QuakeFormats
import QuakeModel
import QuakeTestSupport

@testable import QuakeCommands

/// Returns `quakes` rendered in `format`.
func rendered(
    _ quakes: [Quake], as format: OutputFormat, fields: [QuakeProperty]? = nil, style: OutputStyle = OutputStyle()
) throws -> String {
    try captured { writer in
        let renderer = format.renderer(of: fields.map(FieldList.init), writer, style)
        let properties = renderer.fields.compactMap(\.property)
        try renderer.render(quakes.map { quake in properties.map { quake[$0] } }, to: writer)
    }
}

extension QuakeRenderer {
    /// Renders `rows` from the first line to the last.
    func render(_ rows: some Sequence<[QuakeValue]>, to writer: ByteWriter) throws(OutputError) {
        begin()
        for values in rows {
            let row = FieldRow(values.map(RawValue.value))
            self.writeRow { row[$0] }
            try writer.flushIfFull()
        }
        end()
        try writer.flush()
    }
}

extension FieldList {
    /// A list of properties.
    init(_ properties: [QuakeProperty]) {
        self.init(fields: properties.map(QuakeField.property))
    }
}
