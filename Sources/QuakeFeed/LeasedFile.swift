import FoundationEssentials
import Glibc
import SystemCalls

/// A file in memory that nobody writes to as long as it is there.
///
/// Need: copying a month's feed out of the kernel fills 1,750 fresh pages, which takes twice as long as scanning it. Hazard: a file
/// that shrinks under its map ends the process, and one that is overwritten meanwhile is two documents in one. Choice: a read
/// lease (`lease_for_reading`): whoever opens the file for writing, or cuts it, waits until we are done. Where there is no lease
/// to be had (somebody else's file, one that is open for writing, a file system whose files change elsewhere) the file is read.
/// Price: writers wait, though never longer than /proc/sys/fs/lease-break-time (45 s), after which they do as they please.
final class LeasedFile: Sendable {
    private let descriptor: Descriptor
    private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// Maps the first `size` bytes of the file behind `descriptor`, which is under a lease. Nil, with errno set, where that fails.
    init?(_ descriptor: consuming Descriptor, size: Int) {
        let start = mmap(nil, size, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), descriptor.number, 0)
        guard let start, start != MAP_FAILED else { return nil }
        self.descriptor = descriptor
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    /// The file as a document, which another thread begins to scan.
    var document: FeedDocument {
        let data = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes.baseAddress!), count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
        return FeedDocument(data, scanned: DeferredValue { FeatureScanner.scan(self.bytes) })
    }
}
