import QuakeStore

/// Settings for the renderers of quakes and changes.
struct OutputStyle {
    /// The width of the terminal; nil if the output does not go to a terminal.
    var terminalColumns: Int?
    var usesColor = false
    /// The style of lengths and times for people, and the reference point for distances.
    var display = DisplayStyle()
    /// The properties whose values before and after a change appear in flat formats.
    var comparedProperties = QuakeProperty.allCases
    /// Whether nothing is written for people if there are no changes.
    var isQuiet = false
    /// Whether to list every changed value, including bookkeeping values.
    var listsEverything = false
    /// The subject of the output, as a headline.
    var title: String?
    /// The time as of which the quakes are current, for formats that contain it; nil if unknown.
    var generated: Timestamp?
    /// The start of the changes, such as `recorded since 2021-07-21 00:00 UTC`; nil if no time was requested.
    var start: String?
    /// The present time, used to compute ages.
    var now: Timestamp?
    /// The writer for the token in formats of changes without an end record; nil if the token is saved.
    var tokenAside: ByteWriter?
    /// Returns the current id of the quake with a local key.
    var idOfKey: ((QuakeKey) -> String?)?

    /// Returns the solutions of the quake with an id; nil if they were not fetched.
    var solutions: ((String) -> SolutionHistory?)?

    /// Returns the current id of the quake that a deleted quake was merged into; nil if it was not merged.
    func survivor(of change: HistoryChange) -> String? {
        if case .delete(_, let key?) = change.effect { idOfKey?(key) } else { nil }
    }

    var facesTerminal: Bool { terminalColumns != nil }
}

extension OutputStyle {
    init(
        _ environment: CommandEnvironment, _ global: GlobalOptions, display: DisplayStyle = DisplayStyle(),
        context: QuakeContext? = nil
    ) {
        let stream = environment.standardOutput
        self.init(
            terminalColumns: stream.columnsOfTerminal, usesColor: global.allowsColor(on: stream, in: environment),
            display: display)
        isQuiet = global.isQuiet
        listsEverything = global.isVerbose
        now = environment.now()
        idOfKey = { key in try? context?.quake(forKey: key)?.quake.id }
    }
}
