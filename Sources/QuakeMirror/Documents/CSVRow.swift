/// The fields of one row of comma-separated values (RFC 4180), found by a state machine over its bytes.
struct CSVRow {
    /// `closing` is the state after a quotation mark in a quoted field. The mark ends the field unless another mark
    /// follows.
    private enum State { case start, plain, quoted, closing }

    /// The bytes of the row, without its line end.
    let range: Range<Int>
    /// The fields, without the quotation marks around them; empty if the marks do not match. If there are more than
    /// 1000 fields, only the first 1000 and the last are kept.
    private(set) var fields: [Range<Int>] = []

    /// Reads the row that begins at `start`. A row whose quotation marks do not match ends at its first line break, so
    /// that a stray mark cannot hide later rows.
    ///
    /// - Parameter mayBreakLines: whether quoted fields may contain line breaks.
    init(_ bytes: UnsafeRawBufferPointer, at start: Int, mayBreakLines: Bool = true) {
        fields.reserveCapacity(24)
        var state = State.start
        var first = start
        var end = start
        scan: while end < bytes.count {
            switch (state, bytes[end]) {
            case (.quoted, ASCIIByte.quote): state = .closing
            case (.quoted, let byte): if !mayBreakLines, ASCIIByte.endsLine(byte) { break scan }
            case (_, ASCIIByte.comma):
                if fields.count < 1000 { fields.append(first..<(state == .closing ? end - 1 : end)) }
                first = end + 1
                state = .start
            case (_, ASCIIByte.lineFeed), (_, ASCIIByte.carriageReturn): break scan
            case (.start, ASCIIByte.quote):
                first = end + 1
                state = .quoted
            case (.closing, let byte):
                state = .quoted
                if byte != ASCIIByte.quote { break scan }
            default: state = .plain
            }
            end += 1
        }
        if state == .quoted {
            fields = []
            end = bytes[start...].firstIndex(where: ASCIIByte.endsLine) ?? bytes.count
        } else {
            fields.append(first..<(state == .closing ? end - 1 : end))
        }
        range = start..<end
    }
}
