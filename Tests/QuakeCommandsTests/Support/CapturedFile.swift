import Foundation

@testable import QuakeCommands

/// An unnamed file that a writer writes to and a test reads back. It ends with its last reference.
final class CapturedFile {
    let descriptor: Int32

    init() throws {
        var path = Array((NSTemporaryDirectory() + "/quakes-output-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    var bytes: [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: max(size, 1)) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}

/// Returns what `body` writes, as text; throws if it is not UTF-8.
func captured(_ body: (ByteWriter) throws -> Void) throws -> String {
    let file = try CapturedFile()
    let writer = ByteWriter(descriptor: file.descriptor)
    try body(writer)
    try writer.flush()
    guard let text = String(validating: file.bytes, as: UTF8.self) else { throw NotUTF8(bytes: file.bytes) }
    return text
}

struct NotUTF8: Error {
    let bytes: [UInt8]
}
