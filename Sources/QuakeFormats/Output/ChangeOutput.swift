public import FoundationEssentials
public import QuakeModel

/// Writes history events as a document, one at a time. As with ``QuakeOutput``, the document is complete once ``end()``
/// has returned.
///
/// ```swift
/// let output = ChangeOutput(.ndjson) { try file.write(contentsOf: $0) }
/// try context.history.fetch(HistoryDescriptor(after: token)) { try output.append($0) }
/// try output.end()
/// ```
public final class ChangeOutput {
    private let output = ByteBuffer()
    private let renderer: any HistoryRenderer
    private let chunkedOutput: ChunkedOutput

    /// Begins a document.
    ///
    /// - Parameters:
    ///   - format: the format of the document.
    ///   - properties: the properties whose values before and after a change are columns in CSV and TSV; empty for all.
    ///     In JSON, ``/QuakeModel/HistoryDescriptor/deliveredProperties`` determines the values.
    ///   - write: called with each piece of the document, of about 64 KB, in order.
    public init(
        _ format: ChangeFormat, properties: [QuakeProperty] = [], write: @escaping (Data) throws -> Void
    ) {
        renderer = format.renderer(into: output, comparing: properties)
        chunkedOutput = ChunkedOutput(write)
    }

    /// Appends an event. Append every event of a response, including the end event: in CSV and TSV, the first event
    /// writes the header, even if it is the only event.
    ///
    /// - Throws: the error of the closure, and ``DocumentEnded`` after ``end()``.
    public func append(_ event: HistoryEvent) throws {
        try chunkedOutput.requireOpen()
        renderer.write(event)
        try chunkedOutput.passOn(output)
    }

    /// Ends the document and passes on its last piece. Must be called once.
    ///
    /// - Throws: the error of the closure, and ``DocumentEnded`` after ``end()``.
    public func end() throws {
        try chunkedOutput.requireOpen()
        renderer.end()
        try chunkedOutput.end(output)
    }
}
