/// The layout of a column in a table.
package enum ColumnLayout: Sendable {
    /// Left-aligned.
    case text(width: Int)
    /// Left-aligned. On a terminal, long text may be shortened.
    case cuttable(width: Int)
    /// Aligned at the decimal point, with room for this many digits before and after it.
    case number(whole: Int, fraction: Int = 0)
}
