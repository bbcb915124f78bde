import QuakeModel

/// Writes quakes in one format: `begin`, then `row` for each quake, then `end`.
///
/// A row is a function from the index of a field to its value. Text is valid only until `row` returns.
protocol QuakeRenderer: AnyObject {
    /// The fields to fetch, in the order in which the renderer reads them.
    var fields: [QuakeField] { get }
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
