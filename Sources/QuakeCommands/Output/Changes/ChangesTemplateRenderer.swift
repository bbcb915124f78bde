import QuakeModel

/// Writes a line for each change according to a template. Other events are reported on standard error.
final class ChangesTemplateRenderer: ChangesRenderer {
    private let template: OutputTemplate
    private let writer: ByteWriter
    private let remarks: StandardStream
    private let style: OutputStyle
    private let texts: ChangeTexts

    init(_ template: OutputTemplate, writer: ByteWriter, remarks: StandardStream, style: OutputStyle) {
        self.template = template
        self.writer = writer
        self.remarks = remarks
        self.style = style
        let compared = template.pieces.compactMap {
            if case .value(.before(let property), _) = $0 { property } else { nil }
        }
        texts = ChangeTexts(style, compared: Set(compared))
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            remarks.writeLine("quakes: \(fault.noticeOfResync)")
        case .resync(let resynced): line(resynced.stored.quake, nil)
        case .change(let relevant):
            if let quake = relevant.change.after ?? relevant.change.before { line(quake, relevant) }
        case .end(let end): style.tokenWriter?.append(end.closingLine)
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) {
        try writer.flush()
        try style.tokenWriter?.flush()
    }

    private func line(_ quake: Quake, _ relevant: RelevantChange?) {
        template.writeLine(to: writer) { texts.text($0, as: $1, of: quake, relevant) }
    }
}
