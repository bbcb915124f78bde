import QuakeModel
import QuakeTestSupport

@testable import QuakeFormats

/// Returns `quakes` in `format`.
func rendered(_ quakes: [Quake], as format: QuakeFormat, fields: [QuakeProperty] = []) -> String {
    String(decoding: format.data(quakes, properties: fields), as: UTF8.self)
}

/// Returns one row of raw field values in `format`, for values that a `Quake` cannot hold.
func rendered(row values: [RawValue], as format: QuakeFormat, fields: [QuakeProperty]) -> String {
    let output = ByteBuffer()
    let renderer = format.renderer(of: fields.map(QuakeField.property), into: output, RecordStyle())
    let row = FieldRow(values)
    renderer.begin()
    renderer.writeRow { row[$0] }
    renderer.end()
    return String(decoding: output.bytes, as: UTF8.self)
}
