import Glibc

/// The formats of a report about what a command did.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// Text for people.
    case text
    /// One JSON object.
    case json
}

/// Standard output of a command that changes the cache.
///
/// A report that cannot be written must not stop the work: `quakes refresh A B | true` applies both feeds. After the
/// first failure further reports are dropped; ``finish()`` throws when the command has done its work.
package final class ReportOutput {
    private let writer: ByteWriter
    private var failure: OutputError?

    package init(_ stream: StandardStream) {
        writer = ByteWriter(stream)
    }

    /// Writes the report that `body` appends.
    package func write(_ body: (ByteWriter) throws(OutputError) -> Void) {
        guard failure == nil else { return }
        do throws(OutputError) {
            try body(writer)
            try writer.flush()
        } catch {
            failure = error
        }
    }

    /// Writes a line for people.
    package func writeLine(_ text: String) {
        write { writer throws(OutputError) in
            writer.append(sanitized: text)
            writer.append("\n")
        }
    }

    /// Throws if a report could not be written, for example because the disk is full. Output without a reader is not a
    /// failure: the pipe was closed, or the parent closed standard output.
    package func finish() throws(OutputError) {
        switch failure {
        case nil, .closedPipe, .writeFailed(errno: EBADF): return
        case let failure?: throw failure
        }
    }
}
