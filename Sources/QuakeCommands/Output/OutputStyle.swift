import QuakeFormats
import QuakeStore

/// Settings for the renderers of quakes and changes.
struct OutputStyle {
    /// The width of the terminal; nil if the output does not go to a terminal.
    var terminalColumns: Int?
    var usesColor = false
    /// The style of lengths and times for people, and the reference points for distances.
    var display = DisplayStyle()
    /// Whether to write only end records and counts if there are no changes (`--quiet`).
    var isQuiet = false
    /// Whether to list every changed value, including bookkeeping values.
    var listsEverything = false
    /// The start of the changes, such as `recorded since 2021-07-21 00:00 UTC`; nil if no start time was requested.
    var startText: String?
    /// The present time, used to compute ages.
    var now: Timestamp?
    /// Where the token is written in formats of changes without an end record; nil if the token is saved.
    var tokenWriter: ByteWriter?
    /// Returns the current id of the quake with a key, a quake's permanent number in the cache; nil if there is no such
    /// quake.
    var idOfKey: ((QuakeKey) -> String?)?
    /// Settings for machine-readable formats that cannot be derived from the other settings.
    var records = RecordStyle()

    /// Returns the current id of the quake that a deleted quake was merged into; nil if it was not merged.
    func survivor(of change: HistoryChange) -> String? {
        if case .delete(_, let key?) = change.effect { idOfKey?(key) } else { nil }
    }

    var facesTerminal: Bool { terminalColumns != nil }

    /// All settings of machine-readable formats.
    var forRecords: RecordStyle {
        var style = records
        style.facesTerminal = facesTerminal
        style.localTime = display.timeZone.secondWords
        style.computed = display.computed
        return style
    }
}

extension OutputStyle {
    init(
        _ environment: CommandEnvironment, _ global: GlobalOptions, display: DisplayStyle = DisplayStyle(),
        context: QuakeContext? = nil
    ) {
        let stream = environment.standardOutput
        self.init(
            terminalColumns: stream.columnsIfTerminal, usesColor: global.allowsColor(on: stream, in: environment),
            display: display)
        isQuiet = global.isQuiet
        listsEverything = global.isVerbose
        now = environment.now()
        idOfKey = { key in try? context?.quake(key: key)?.quake.id }
    }
}
