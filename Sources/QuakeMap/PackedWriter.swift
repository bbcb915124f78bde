import FoundationEssentials

/// Writes variable-length integers as base64 text, which ``PackedReader`` and pages read.
struct PackedWriter {
    private var bytes = Data()

    var text: String { bytes.base64EncodedString() }

    mutating func append(_ value: Int) {
        var rest = value
        while rest > 127 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(signed value: Int) { append(value >= 0 ? value * 2 : -value * 2 - 1) }
}
