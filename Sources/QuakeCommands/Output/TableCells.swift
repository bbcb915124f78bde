import QuakeModel

/// Writes the cells of a table, each with the spaces that keep the columns in line.
struct TableCells {
    let writer: ByteWriter

    /// Appends text made safe to show, cut to `limit` columns and filled up to `width`, where these are given.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, paddedTo width: Int?, cutTo limit: Int?) {
        if bytes.isPrintableASCII, bytes.count <= limit ?? .max {
            writer.append(bytes)
            pad(to: width, from: bytes.count)
        } else {
            let safe = TerminalText.sanitized(String(decoding: bytes, as: UTF8.self))
            append(limit.map { DisplayWidth.fitted(safe, columns: $0) } ?? safe, paddedTo: width)
        }
    }

    /// Appends text that is safe, filled up to `width`.
    func append(_ text: String, paddedTo width: Int?) {
        writer.append(text)
        if let width { pad(to: width, from: DisplayWidth.columns(of: text)) }
    }

    /// Appends an integer at the right edge.
    func append(_ number: Int64, width: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberText.capacity) { scratch in
            guard let start = scratch.baseAddress else { return }
            let count = NumberText.write(number, to: start)
            pad(to: width, from: count)
            writer.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
        }
    }

    /// Appends a number with at most `decimals` decimals, its point in line with the others of the column.
    func append(_ number: Double, decimals: Int, width: Int, isLast: Bool) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberText.capacity) { scratch in
            guard let start = scratch.baseAddress else { return }
            let count = NumberText.write(rounded: number, decimals: decimals, to: start)
            let text = UnsafeBufferPointer(rebasing: scratch[..<count])
            let written = text.firstIndex(of: UInt8(ascii: ".")).map { count - $0 } ?? 0
            let trailing = max(0, (decimals > 0 ? decimals + 1 : 0) - written)
            pad(to: width - trailing, from: count)
            writer.append(text)
            if !isLast { writer.append(byte: UInt8(ascii: " "), count: trailing) }
        }
    }

    /// Appends the sign of a missing number, where its last whole digit would stand.
    func appendMissing(before trailing: Int, width: Int, isLast: Bool) {
        pad(to: width - trailing, from: 1)
        writer.append(byte: UInt8(ascii: "-"))
        if !isLast { writer.append(byte: UInt8(ascii: " "), count: trailing) }
    }

    /// Appends a moment as `2021-07-22 20:39:44`.
    func append(_ moment: Timestamp, paddedTo width: Int?) {
        let target = writer.reserve(32)
        let buffer = UnsafeMutableBufferPointer(start: target, count: 32)
        let count = moment.writeISO8601(into: buffer) - ".000Z".utf8.count
        if let separator = buffer[..<count].lastIndex(of: UInt8(ascii: "T")) { target[separator] = UInt8(ascii: " ") }
        writer.commit(count)
        pad(to: width, from: count)
    }

    private func pad(to width: Int?, from count: Int) {
        guard let width else { return }
        writer.append(byte: UInt8(ascii: " "), count: width - count)
    }
}
