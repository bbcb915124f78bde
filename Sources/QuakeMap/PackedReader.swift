import FoundationEssentials

/// Reads variable-length integers from base64 text. After the end of the text, returns zeros.
struct PackedReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters).map { Array($0) } ?? []
    }

    mutating func next() -> Int {
        var value = 0
        var shift = 0
        while true {
            let byte = position < bytes.count ? bytes[position] : 0
            position += 1
            value |= Int(byte & 127) << shift
            shift += 7
            if byte < 128 || shift > 56 { return value }
        }
    }

    mutating func nextSigned() -> Int {
        let value = next()
        return value & 1 == 0 ? value >> 1 : -((value + 1) >> 1)
    }
}
