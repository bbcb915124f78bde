import Glibc

package enum ReportFormat: String, CaseIterable, Sendable {
    case text, json
}

package enum TableFormat: String, CaseIterable, Sendable {
    case text, json, csv
}

/// What a command that changes the cache says on standard output: lines for people, or JSON records.
///
/// A report that cannot be written must not stop the work: `quakes refresh A B | true` applies both feeds. After the
/// first failure further reports are dropped; ``finish()`` throws when the command has done its work.
package final class ReportOutput {
    private let writer: ByteWriter
    private let format: ReportFormat
    private let isQuiet: Bool
    private let columns: Int?
    private var failure: OutputError?

    /// Reports to `stream` in `format`. `isQuiet`: people get no lines.
    package init(_ stream: StandardStream, _ format: ReportFormat, isQuiet: Bool) {
        writer = format == .text ? stream.writerForPeople : ByteWriter(stream)
        (self.format, self.isQuiet, columns) = (format, isQuiet, stream.columnsOfTerminal)
    }

    /// Writes `line` for people, or `record` for programs.
    package func write(_ line: String?, _ record: @autoclosure () -> Record) {
        if let line { writeLine(line) }
        writeRecord(record())
    }

    package func writeLine(_ text: String) {
        guard format == .text, !isQuiet else { return }
        flush { writer throws(OutputError) in WrappedLines(writer, columns: columns).append(text) }
    }

    /// Writes `record` for programs.
    package func writeRecord(_ record: @autoclosure () -> Record) {
        guard format == .json else { return }
        flush { writer throws(OutputError) in try JSONWriter(writer).line(record()) }
    }

    private func flush(_ body: (ByteWriter) throws(OutputError) -> Void) {
        guard failure == nil else { return }
        do throws(OutputError) {
            try body(writer)
            try writer.flush()
        } catch { failure = error }
    }

    /// Throws if a report could not be written. A closed pipe or standard output is not a failure.
    package func finish() throws(OutputError) {
        switch failure {
        case nil, .closedPipe, .writeFailed(errno: EBADF): return
        case let failure?: throw failure
        }
    }
}
