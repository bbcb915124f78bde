import QuakeModel

extension JSONWriter {
    /// Passes the text written so far to `writer`, which flushes once 64 KB have accumulated.
    func flush(to writer: ByteWriter) throws(OutputError) {
        drain { writer.append($0) }
        try writer.flushIfFull()
    }

    /// Ends the line of a record and passes it to `writer`.
    func endLine(to writer: ByteWriter) throws(OutputError) {
        putOutsideRecords("\n")
        try flush(to: writer)
    }

    /// Writes a value and ends its line.
    func line(_ value: any RecordValue, to writer: ByteWriter) throws(OutputError) {
        self.value(value)
        try endLine(to: writer)
    }
}
