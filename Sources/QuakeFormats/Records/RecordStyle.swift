package import QuakeModel

/// Settings of the machine-readable formats.
package struct RecordStyle {
    /// The names of the first columns in CSV and TSV. Other columns are named after their fields.
    package var headings: [String] = []
    /// The subject of the quakes, for GeoJSON.
    package var title: String?
    /// The time as of which the quakes are current, for GeoJSON; nil if unknown.
    package var generated: Timestamp?
    /// Returns the solutions of the quake with the given id, for QuakeML; nil if they were not fetched.
    package var solutions: (String) -> SolutionHistory? = { _ in nil }
    /// Returns the text of the field ``QuakeField/localTime``.
    package var localTime: (Timestamp) -> String = \.secondWords
    /// Whether CSV and TSV replace characters that are unsafe on a terminal, because a person reads them there.
    package var facesTerminal = false
    /// The properties whose values before and after a change are columns in CSV and TSV.
    package var comparedProperties = QuakeProperty.allCases
    /// The computed fields to add to each change.
    package var computed = ComputedFields()

    package init() {}
}
