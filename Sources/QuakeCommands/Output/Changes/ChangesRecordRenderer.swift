import QuakeFormats
import QuakeModel

/// Writes events in a machine-readable format.
final class ChangesRecordRenderer: ChangesRenderer {
    private let renderer: any HistoryRenderer
    private let writer: ByteWriter
    private let tokenWriter: ByteWriter?

    /// - Parameters:
    ///   - renderer: A renderer that appends to the pending bytes of `writer`.
    ///   - tokenWriter: Where the token is written if the format has no end record; nil if the token is saved.
    init(_ renderer: any HistoryRenderer, _ writer: ByteWriter, tokenWriter: ByteWriter?) {
        self.renderer = renderer
        self.writer = writer
        self.tokenWriter = tokenWriter
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        renderer.write(event)
        if case .end(let end) = event { tokenWriter?.append(end.closingLine) }
        try writer.flushIfFull()
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {
        renderer.writeHeartbeat(token: token, time: time)
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) {
        renderer.end()
        try writer.flush()
        try tokenWriter?.flush()
    }
}
