import Foundation
import Glibc
import QuakeFeed

/// Writes a download to a file descriptor: one line of JSON with the head, then the body as it is.
struct PipeSink: DownloadSink {
    let descriptor: Int32

    func begin(_ head: HTTPResponseHead) throws(TransportError) {
        guard let line = try? JSONEncoder().encode(head) else {
            throw .helperFailed(status: 0, detail: "the head has no JSON form")
        }
        try write(line + [UInt8(ascii: "\n")])
    }

    func write(_ piece: Data) throws(TransportError) {
        let isWritten = piece.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWritten else { throw .interrupted }
    }
}
