package import QuakeModel

/// Settings for the renderers of quakes and changes.
package struct OutputStyle {
    /// The width of the terminal; nil if the output does not go to a terminal.
    package var terminalColumns: Int?
    package var usesColor: Bool
    /// How lengths and times are written for people, and where distances are measured from.
    package var display: DisplayStyle
    /// The properties whose values flat formats of changes show before and after.
    package var comparedProperties = QuakeProperty.allCases
    /// Whether to list every value that changed, including those of bookkeeping.
    package var listsEverything = false
    /// What the output is about, as a headline.
    package var title: String?
    /// Since when the changes are: `learned since 2021-07-21 00:00 UTC`; nil if no time was asked for.
    package var start: String?
    /// The present time, from which ages count.
    package var now: Timestamp?
    /// Where formats of changes without an end record print the token; nil if the token is kept.
    package var tokenAside: ByteWriter?
    /// The present id of the quake under a local key.
    package var idOfKey: ((QuakeKey) -> String?)?

    /// How the quake with an id was solved; nil if it was not asked about.
    package var solutions: ((String) -> SolutionHistory?)?

    /// The present id of the quake that a deleted one was merged into; nil if it was not merged.
    package func survivor(of change: HistoryChange) -> String? {
        if case .delete(_, let key?) = change.effect { idOfKey?(key) } else { nil }
    }

    var facesTerminal: Bool { terminalColumns != nil }

    /// A style; without arguments, that of a file.
    package init(terminalColumns: Int? = nil, usesColor: Bool = false, display: DisplayStyle = DisplayStyle()) {
        (self.terminalColumns, self.usesColor, self.display) = (terminalColumns, usesColor, display)
    }
}
