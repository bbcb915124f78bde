/// A growing buffer of bytes. It is faster than an array, which would check on each append whether its storage is
/// shared.
package final class ByteBuffer {
    // Accesses never overlap, so checking exclusivity at run time would only cost time.
    @exclusivity(unchecked) @usableFromInline var storage: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) @usableFromInline var capacity = 1024
    /// The number of bytes appended and not yet removed.
    @exclusivity(unchecked) @usableFromInline package var count = 0

    package init() { storage = .allocate(capacity: capacity) }

    deinit { storage.deallocate() }

    /// The collected bytes, valid until the next change.
    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage, count: count) }

    @inlinable package func append(_ byte: UInt8) {
        append(upTo: 1) {
            $0.pointee = byte; return 1
        }
    }

    @inlinable package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        append(upTo: bytes.count) {
            $0.update(from: start, count: bytes.count)
            return bytes.count
        }
    }

    package func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends bytes: `write` stores at most `most` bytes in the given memory, and returns their number.
    @inlinable package func append(upTo most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < most { grow(toHold: count + most) }
        count += write(storage + count)
    }

    /// Removes the first `removed` bytes.
    package func removeFirst(_ removed: Int) {
        storage.update(from: storage + removed, count: count - removed)
        count -= removed
    }

    package func removeLast(_ removed: Int) { count -= removed }

    package func removeAll() { count = 0 }

    @usableFromInline @inline(never) func grow(toHold needed: Int) {
        capacity = max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: storage, count: count)
        storage.deallocate()
        storage = larger
    }
}
