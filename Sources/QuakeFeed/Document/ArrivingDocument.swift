import Crypto
import FoundationEssentials
import Glibc

/// A document that is scanned by another thread while it arrives.
///
/// Need: reading 7 MB from a file takes 4 ms and scanning them 2; a download takes longer than both, and most of it is waiting. Hazard: the
/// scanner must never see a byte that is not there yet, and memory must not move under it. Choice: the scanner asks an
/// ``Arrival`` before it goes on; a document that outgrows its room moves to a larger one, and is scanned when it is whole. Price:
/// a thread, and room for the largest usual document, of which only what is used costs memory.
final class ArrivingDocument {
    /// Enough for any summary feed; the largest has 10 MB.
    static let usualRoom = 16 << 20

    /// How many bytes are here.
    private(set) var count = 0
    private var buffer: DocumentBuffer
    private var arrival: Arrival?
    private var scanned: DeferredValue<Result<FeatureScanner, DocumentError>>?
    private var digest: SHA256?

    /// A document with room for `capacity` bytes, for which more is made when needed. Nil when the memory cannot be had.
    ///
    /// - Parameter isDigested: work out the digest as the bytes come, for one who waits for them anyway.
    init?(capacity: Int = ArrivingDocument.usualRoom, isDigested: Bool = false) {
        guard let buffer = DocumentBuffer(capacity: max(capacity, 1)) else { return nil }
        let arrival = Arrival()
        self.buffer = buffer
        self.arrival = arrival
        digest = isDigested ? SHA256() : nil
        scanned = DeferredValue { FeatureScanner.scan(UnsafeRawBufferPointer(buffer.bytes), arrival: arrival) }
    }

    deinit {
        arrival?.end()
    }

    /// Where the next bytes go; nil when there is no memory left. Never empty: a document that fills its room moves.
    func makeRoom() -> UnsafeMutableRawBufferPointer? {
        if count == buffer.bytes.count {
            guard let larger = DocumentBuffer(capacity: count * 2) else { return nil }
            larger.bytes.copyMemory(from: UnsafeRawBufferPointer(buffer.bytes))
            buffer = larger
            arrival?.end()
            arrival = nil
            scanned = nil
        }
        return UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[count...])
    }

    /// Counts the next `length` bytes of the room as here.
    func arrived(_ length: Int) {
        count += length
        arrival?.advance(to: count)
        digest?.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer.bytes[count - length..<count]))
    }

    /// The whole document.
    func finish() -> FeedDocument {
        arrival?.end()
        let buffer = buffer
        guard let start = buffer.bytes.baseAddress, count > 0 else { return FeedDocument(Data()) }
        let bytes = Data(
            bytesNoCopy: start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(buffer) {} })
        return FeedDocument(bytes, scanned: scanned, digest: digest.map { BodyDigest.hexadecimal($0.finalize()) })
    }
}

/// Memory that stays where it is until its last user is gone.
///
/// One thread writes behind the place that an ``Arrival`` names, others read before it.
private final class DocumentBuffer: Sendable {
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    init?(capacity: Int) {
        guard let start = malloc(capacity) else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: capacity)
    }

    deinit {
        free(bytes.baseAddress)
    }
}
