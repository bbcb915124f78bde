import ArgumentParser
import Glibc

/// The formats of a report about what a command did.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Text for people.
    case text
    /// One JSON object.
    case json
}

/// Standard output of a command that changes the cache.
///
/// A report that cannot be written must not stop the work: `quakes refresh A B | true` applies both feeds. After the
/// first failure further reports are dropped; ``finish()`` throws when the command has done its work.
final class ReportOutput {
    private let writer: ByteWriter
    private var failure: OutputError?

    init(_ stream: StandardStream) {
        writer = ByteWriter(stream)
    }

    /// Writes the report that `body` appends.
    func write(_ body: (ByteWriter) throws(OutputError) -> Void) {
        guard failure == nil else { return }
        do throws(OutputError) {
            try body(writer)
            try writer.flush()
        } catch {
            failure = error
        }
    }

    /// Throws if a report could not be written, for example because the disk is full. Output without a reader is not a
    /// failure: the pipe was closed, or the parent closed standard output.
    func finish() throws(OutputError) {
        switch failure {
        case nil, .closedPipe, .writeFailed(errno: EBADF): return
        case let failure?: throw failure
        }
    }
}
