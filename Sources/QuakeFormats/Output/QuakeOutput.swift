public import FoundationEssentials
@_exported public import QuakeModel

/// Writes quakes as a document, one at a time.
///
/// ```swift
/// let output = QuakeOutput(.quakeml) { try file.write(contentsOf: $0) }
/// try context.enumerate(descriptor) { stored in
///     try output.append(stored.quake, solutions: context.solutions(ofKey: stored.key))
/// }
/// try output.end()
/// ```
///
/// A document is complete once ``end()`` has returned. If a piece cannot be written, that call and all later calls
/// throw the error, so an incomplete document is never ended. In JSON, GeoJSON and QuakeML, readers notice that the end
/// is missing. In the other formats, readers cannot notice: write such a document to a file with another name, and
/// rename the file after ``end()``.
public final class QuakeOutput {
    private let document: QuakeDocument
    private let chunkedOutput: ChunkedOutput

    /// Begins a document.
    ///
    /// - Parameters:
    ///   - format: the format of the document.
    ///   - properties: the properties to write, in this order and without duplicates; empty for all. GeoJSON has its
    ///     own order, and always includes the id and the geometry. QuakeML always includes every property.
    ///   - title: the subject of the quakes, for the metadata of GeoJSON.
    ///   - generated: the time as of which the quakes are current, for the metadata of GeoJSON.
    ///   - write: called with each piece of the document, of about 64 KB, in order.
    public init(
        _ format: QuakeFormat, properties: [QuakeProperty] = [], title: String? = nil, generated: Timestamp? = nil,
        write: @escaping (Data) throws -> Void
    ) {
        document = QuakeDocument(format, properties, title: title, generated: generated)
        chunkedOutput = ChunkedOutput(write)
    }

    /// Appends a quake. QuakeML includes `solutions`; without solutions, the only origin and magnitude are the values
    /// in the feeds. A number that is not finite is written as missing, and so is an ``/QuakeModel/Quake/extra`` that
    /// is not a JSON object.
    ///
    /// - Throws: the error of the closure, and ``DocumentEnded`` after ``end()``.
    public func append(_ quake: Quake, solutions: SolutionHistory? = nil) throws {
        try chunkedOutput.requireOpen()
        document.append(quake, solutions)
        try chunkedOutput.passOn(document.output)
    }

    /// Ends the document and passes on its last piece. Must be called once.
    ///
    /// - Throws: the error of the closure, and ``DocumentEnded`` after ``end()``.
    public func end() throws {
        try chunkedOutput.requireOpen()
        document.end()
        try chunkedOutput.end(document.output)
    }
}
