/// The current row of a query, reduced to the requested fields. Valid only inside the call that receives it.
package struct StoredRow {
    let statement: Statement
    let layout: RowLayout

    /// Returns the value of the field at `index` of the requested fields.
    package func field(at index: Int) -> FieldValue {
        switch layout.origins[index] {
        case .column(let column): statement.field(column)
        case .derived(let text): text.value(in: statement)
        }
    }
}
