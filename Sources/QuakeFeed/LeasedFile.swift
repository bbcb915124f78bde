import FoundationEssentials
import Glibc
import SystemCalls

/// A file in memory that nobody writes to as long as it is there.
///
/// Need: copying a month's feed out of the kernel fills 1,750 fresh pages, which takes twice as long as scanning it. Hazard: a file
/// that shrinks under its map ends the process, and one that is overwritten meanwhile is two documents in one. Choice: a read
/// lease (`lease_for_reading`): whoever opens the file for writing, or cuts it, waits until we are done. Where there is none to be had
/// (somebody else's file, one that is open for writing, a file system whose files change elsewhere), or not all of it can be
/// fetched, the file is read. Price: writers wait, and ``isIntact`` must be asked where much time may have passed.
final class LeasedFile: Sendable {
    private let descriptor: Descriptor
    /// Only read, by whichever thread.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer
    private let count: Int

    /// Maps the file at `path`. Nil where that cannot be done safely, or it is empty or has more than `limit` bytes.
    init?(_ path: String, limit: Int) {
        // Opening a pipe would disturb whoever writes to it.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(number)
        // The lease before the size, which stands from then on.
        guard lease_for_reading(number), fstat(number, &status) == 0, (1...max(limit, 1)).contains(Int(status.st_size)),
            let start = map_for_reading(number, Int(status.st_size))
        else { return nil }
        self.descriptor = descriptor
        self.start = start
        count = Int(status.st_size)
    }

    deinit {
        munmap(start, count)
    }

    /// Whether nobody waits for the file. Then whoever comes next waits for at least /proc/sys/fs/lease-break-time (45 s).
    var isIntact: Bool { lease_is_intact(descriptor.number) }

    /// The file as a document, which another thread begins to scan.
    var document: FeedDocument {
        let data = Data(
            bytesNoCopy: start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
        let scanned = DeferredValue {
            FeatureScanner.scan(UnsafeRawBufferPointer(start: self.start, count: self.count))
        }
        return FeedDocument(data, scanned: scanned)
    }
}
