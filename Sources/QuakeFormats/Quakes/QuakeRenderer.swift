package import QuakeModel

/// Writes quakes in one format: `begin`, then `writeRow` for each quake, then `end`.
///
/// A row is a function from the index of a field to its value. Text is valid only until `writeRow` returns.
package protocol QuakeRenderer: AnyObject {
    /// The fields to fetch, in the order in which the renderer reads them.
    var fields: [QuakeField] { get }
    /// Writes any text before the first row.
    func begin()
    func writeRow(_ field: (Int) -> FieldValue)
    /// Writes any text after the last row.
    func end()
}

extension QuakeRenderer {
    package func begin() {}
    package func end() {}
}
