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

    /// Appends bytes and returns how many were stored, fewer than given if the disk is full.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { file.append(UnsafeRawBufferPointer(bytes)) }

    /// Calls `body` with everything that was appended, in order and in pieces.
    func forEachPiece(_ body: (UnsafeBufferPointer<UInt8>) throws(OutputError) -> Void) throws(OutputError) {
        var (piece, offset) = ([UInt8](repeating: 0, count: ByteWriter.threshold), 0)
        while true {
            let count = piece.withUnsafeMutableBytes { file.read(into: $0, at: offset) }
            guard count >= 0 else { throw .writeFailed(errno: errno) }
            guard count > 0 else { return }
            try piece[..<count].withUnsafeBufferPointer(body)
            offset += count
        }
    }
}
