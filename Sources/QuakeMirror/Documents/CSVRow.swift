/// The fields of one row of comma-separated values (RFC 4180), found by a state machine over its bytes.
struct CSVRow {
    /// `closing` follows a quotation mark in a quoted field, which ends the field unless another mark follows.
    private enum State { case start, plain, quoted, closing }

    /// The bytes of the row, without its line end.
    let range: Range<Int>
    /// The first 1000 fields, without the quotation marks around them; empty if the marks do not match.
    private(set) var fields: [Range<Int>] = []

    /// Reads the row that begins at `start`. A row whose quotation marks do not match ends with its first line, so that
    /// a stray mark hides no other row.
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
