import QuakeModel

/// The form of the output: a format, a template, or only the number of changes.
enum ChangesOutputForm {
    case format(ChangesFormat)
    case template(OutputTemplate, remarks: StandardStream)
    /// Only the number of changes or, in a resync, of quakes.
    case count

    func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        let renderer = plainRenderer(writer, style)
        return style.isQuiet && !hasOutputWithoutChanges ? QuietChangesRenderer(renderer) : renderer
    }

    /// Whether there is output even without changes: the end record, or the number 0. `--quiet` does not suppress it.
    private var hasOutputWithoutChanges: Bool {
        switch self {
        case .format(.json), .format(.ndjson), .count: true
        case .format(.table), .format(.csv), .format(.tsv), .template: false
        }
    }

    private func plainRenderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .format(let format): format.renderer(writer, style)
        case .template(let template, let remarks):
            ChangesTemplateRenderer(template, writer: writer, remarks: remarks, style: style)
        case .count: ChangesCountRenderer(writer: writer)
        }
    }

    /// Whether changes are written as a table.
    var isForPeople: Bool { if case .format(.table) = self { true } else { false } }
}

/// For `--quiet`: writes nothing, neither a header nor a last line, if there are no changes.
private final class QuietChangesRenderer: ChangesRenderer {
    private let renderer: any ChangesRenderer

    init(_ renderer: any ChangesRenderer) { self.renderer = renderer }

    func write(_ event: HistoryEvent) throws(OutputError) {
        if case .end(let end) = event, end.count == 0 { return }
        try renderer.write(event)
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {
        try renderer.writeHeartbeat(token: token, time: time)
    }

    func finish() throws(OutputError) { try renderer.finish() }
}

/// Writes the number of changes or, in a resync, the number of quakes.
private final class ChangesCountRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private var isResync = false

    init(writer: ByteWriter) { self.writer = writer }

    func write(_ event: HistoryEvent) {
        switch event {
        case .dropEverything: isResync = true
        case .change, .resync: break
        case .end(let end): writer.append("\(isResync ? end.count - 1 : end.count)\n")
        }
    }

    func finish() throws(OutputError) { try writer.flush() }
}
