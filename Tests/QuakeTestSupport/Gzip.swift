public import Foundation

/// The gzip form of data, not compressed: deflate's stored blocks need no compressor.
public enum Gzip {
    /// Returns `data` as a gzip file.
    public static func encoded(_ data: Data) -> Data {
        var result = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result.append(littleEndian: UInt16(block.count))
            result.append(littleEndian: ~UInt16(block.count))
            result.append(block)
        } while !rest.isEmpty
        result.append(littleEndian: checksum(data))
        result.append(littleEndian: UInt32(truncatingIfNeeded: data.count))
        return result
    }

    /// CRC-32 as defined in RFC 1952.
    private static func checksum(_ data: Data) -> UInt32 {
        var remainder = UInt32.max
        for byte in data { remainder = table[Int((remainder ^ UInt32(byte)) & 0xff)] ^ (remainder >> 8) }
        return ~remainder
    }

    private static let table: [UInt32] = (UInt32(0)..<256).map { index in
        var value = index
        for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
