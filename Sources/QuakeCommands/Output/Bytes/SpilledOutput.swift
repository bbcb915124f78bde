import Glibc
import QuakeSystem

/// Output that its reader has not taken yet, in a file without a name.
///
/// `quakes list | less` must not keep a read transaction open while somebody reads a page: the cache's log could not be
/// emptied meanwhile. Rows wait for the reader for a few seconds; then the rest goes to a temporary file, the
/// transaction ends, and the reader is served from here.
final class SpilledOutput {
    private let file: UnlinkedFile

    /// An empty one; nil if there is no place for it.
    init?() {
        do throws(SystemError) {
            file = try UnlinkedFile(in: UnlinkedFile.folder(getenv("TMPDIR").map { String(cString: $0) }))
        } catch { return nil }
    }

    /// Adds bytes at the end, and returns how many; fewer than `count` when the disk is full.
    func append(_ start: UnsafePointer<UInt8>, count: Int) -> Int {
        file.append(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls `body` with everything that was added, in order, a piece at a time.
    func forEachPiece(_ body: (UnsafePointer<UInt8>, Int) throws(OutputError) -> Void) throws(OutputError) {
        let size = ByteWriter.threshold
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size), at: offset)
            guard count >= 0 else { throw .writeFailed(errno: errno) }
            guard count > 0 else { return }
            try body(buffer, count)
            offset += count
        }
    }
}
