import Glibc

extension String {
    /// Whether the text has a zero byte, which is where C programs would see its end.
    package var hasZeroByte: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}
