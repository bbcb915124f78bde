package import QuakeModel

/// Settings of the formats for programs.
package struct RecordStyle {
    /// The names of the first columns in csv and tsv. Other columns are named after their fields.
    package var headings: [String] = []
    /// The subject of the quakes, for GeoJSON.
    package var title: String?
    /// The time as of which the quakes are current, for GeoJSON; nil if unknown.
    package var generated: Timestamp?
    /// Returns the solutions of the quake with an id, for QuakeML; nil if they were not fetched.
    package var solutions: (String) -> SolutionHistory? = { _ in nil }
    /// Returns the text of the field ``QuakeField/localTime``.
    package var localTime: (Timestamp) -> String = \.secondWords
    /// Whether unsafe characters are replaced in csv and tsv, because a person is reading them on a terminal.
    package var facesTerminal = false
    /// The properties whose values before and after a change are columns in csv and tsv.
    package var comparedProperties = QuakeProperty.allCases
    /// The computed fields of a change, besides those that the history contains.
    package var computed = ComputedFields()

    package init() {}
}
