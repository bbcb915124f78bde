/// Where one feature lies in the bytes of a document.
public struct FeatureSpan: Hashable, Sendable {
    /// The bytes of the feature.
    public var range: Range<Int>
    /// The bytes between the quotes of its `id`, when it has one.
    public var idRange: Range<Int>?
    /// A hash of the bytes: the same bytes give the same hash in every run of this version of the program.
    public var hash: Int64
}

/// A 64-bit hash of bytes for telling changed features from unchanged ones.
///
/// Multiply-and-fold over eight bytes at a time, after wyhash (Wang Yi, public domain). Not for hostile input: whoever
/// can forge a collision can as well publish whatever values he likes.
enum ByteHash {
    /// Changes whenever the meaning of the same bytes changes, so that a new version decodes everything once more.
    private static let seed: UInt64 = 0xA076_1D64_78BD_642F &+ 2

    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        var state = seed
        var offset = 0
        while offset + 16 <= bytes.count {
            let low = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            state = fold(low ^ 0xE703_7ED1_A0B4_28DB, high ^ state)
            offset += 16
        }
        var (low, high) = (UInt64(0), UInt64(0))
        for index in offset..<bytes.count {
            let shift = UInt64((index - offset) % 8 * 8)
            if index - offset < 8 {
                low |= UInt64(bytes[index]) << shift
            } else {
                high |= UInt64(bytes[index]) << shift
            }
        }
        state = fold(low ^ 0x8EBC_6AF0_9C88_C6E3, high ^ state)
        let result = fold(state ^ 0x5899_65CC_7537_4CC3, UInt64(bytes.count) ^ seed)
        // 0 stands for "unknown" in the store.
        return result == 0 ? 1 : Int64(bitPattern: result)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
