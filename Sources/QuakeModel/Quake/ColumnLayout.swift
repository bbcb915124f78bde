/// The layout of a column in a table.
package enum ColumnLayout: Sendable {
    /// Left-aligned.
    case text(width: Int)
    /// Left-aligned. A terminal may truncate long text.
    case cuttable(width: Int)
    /// Aligned at the decimal point, with the number of digits before and after it.
    case number(whole: Int, fraction: Int = 0)
}
