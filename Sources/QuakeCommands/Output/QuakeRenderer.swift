import QuakeModel

/// Writes quakes in one form: `begin`, `row` for each, `end`.
///
/// A row is handed over as a function from the index of a field to its value. The fields are those of the
/// ``QuakeRendering`` the renderer came from; text need be valid only until `row` returns.
protocol QuakeRenderer: AnyObject {
    /// Writes what comes before the first row.
    func begin()
    /// Writes one quake.
    func row(_ field: (Int) -> FieldValue) throws(OutputError)
    /// Writes what comes after the last row, and everything that still waits in memory.
    func end() throws(OutputError)
}

extension QuakeRenderer {
    /// Writes quakes that are already values, from the beginning to the end.
    func render(_ quakes: some Sequence<Quake>, fields: [QuakeProperty]) throws(OutputError) {
        begin()
        let row = QuakeRow(fields)
        for quake in quakes {
            row.load(quake)
            try self.row { row[$0] }
        }
        try end()
    }
}
