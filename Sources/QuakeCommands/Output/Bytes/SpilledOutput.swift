import Glibc
import QuakeSystem

/// Output that its reader has not read yet, stored in an unnamed file.
///
/// `quakes list | less` must not keep a read transaction open while someone reads a page, because the cache's log could
/// not be emptied in the meantime. Rows wait for the reader for a few seconds. Then the rest goes to a temporary file,
/// the transaction ends, and the reader is served from that file.
final class SpilledOutput {
    private let file: UnlinkedFile

    init?() {
        do throws(SystemError) {
            file = try UnlinkedFile(in: UnlinkedFile.folder(getenv("TMPDIR").map { String(cString: $0) }))
        } catch { return nil }
    }

    /// Appends bytes and returns how many were stored, fewer than `count` if the disk is full.
    func append(_ start: UnsafePointer<UInt8>, count: Int) -> Int {
        file.append(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls `body` with everything that was appended, in order and in pieces.
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
