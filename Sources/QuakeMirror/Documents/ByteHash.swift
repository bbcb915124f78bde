/// A 64-bit hash for distinguishing changed features from unchanged ones.
///
/// It multiplies pairs of eight-byte words, after wyhash (Wang Yi, public domain). It need not resist attacks, because
/// anyone who can forge a collision can also publish arbitrary values.
enum ByteHash {
    /// Change the seed whenever the program decodes the same bytes differently, so that its new version decodes every
    /// feature again.
    private static let seed: UInt64 = 0xA076_1D64_78BD_642F &+ 4

    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        var state = seed
        var offset = 0
        while offset + 16 <= bytes.count {
            let low = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            state = fold(low ^ 0xE703_7ED1_A0B4_28DB, high ^ state)
            offset += 16
        }
        var rest = SIMD2<UInt64>.zero
        withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[offset...]) }
        state = fold(rest.x ^ 0x8EBC_6AF0_9C88_C6E3, rest.y ^ state)
        let result = fold(state ^ 0x5899_65CC_7537_4CC3, UInt64(bytes.count) ^ seed)
        // 0 means "unknown" in the store.
        return result == 0 ? 1 : Int64(bitPattern: result)
    }

    /// Returns a hash that depends on both hashes and their order.
    static func combine(_ first: Int64, _ second: Int64) -> Int64 {
        let combined = first &* 0x2545_F491_4F6C_DD1D ^ second
        return combined == 0 ? 1 : combined
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
