/// A quake's values and their source, which the mirror needs to judge new information about the quake.
package struct KnownQuake: Hashable, Sendable {
    package var stored: StoredQuake
    /// The source of the values.
    package var rowSource: RowSource

    package init(stored: StoredQuake, rowSource: RowSource) { (self.stored, self.rowSource) = (stored, rowSource) }
}
