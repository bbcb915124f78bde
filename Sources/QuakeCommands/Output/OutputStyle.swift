package import QuakeModel

/// Settings for the renderers of quakes and changes.
package struct OutputStyle {
    /// The width of the terminal; nil if the output does not go to a terminal.
    package var terminalColumns: Int?
    package var usesColor: Bool
    /// The style of lengths and times for people, and the reference point for distances.
    package var display: DisplayStyle
    /// The properties whose values before and after a change appear in flat formats.
    package var comparedProperties = QuakeProperty.allCases
    /// Whether to list every changed value, including bookkeeping values.
    package var listsEverything = false
    /// The subject of the output, as a headline.
    package var title: String?
    /// The start of the changes, such as `recorded since 2021-07-21 00:00 UTC`; nil if no time was requested.
    package var start: String?
    /// The present time, used to compute ages.
    package var now: Timestamp?
    /// The writer for the token in formats of changes without an end record; nil if the token is saved.
    package var tokenAside: ByteWriter?
    /// Returns the current id of the quake with a local key.
    package var idOfKey: ((QuakeKey) -> String?)?

    /// Returns the solutions of the quake with an id; nil if they were not fetched.
    package var solutions: ((String) -> SolutionHistory?)?

    /// Returns the current id of the quake that a deleted quake was merged into; nil if it was not merged.
    package func survivor(of change: HistoryChange) -> String? {
        if case .delete(_, let key?) = change.effect { idOfKey?(key) } else { nil }
    }

    var facesTerminal: Bool { terminalColumns != nil }

    /// Creates a style, by default for output to a file.
    package init(terminalColumns: Int? = nil, usesColor: Bool = false, display: DisplayStyle = DisplayStyle()) {
        (self.terminalColumns, self.usesColor, self.display) = (terminalColumns, usesColor, display)
    }
}
