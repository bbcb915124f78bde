import Foundation
import QuakeHTTP
import QuakeSystem
import QuakeURLSession
import Synchronization

/// Writes a download to a file descriptor: the head as lines, then the unchanged body.
///
/// URLSession delivers at most 16 kB at a time, and each write wakes the reader. Collecting 128 KiB before each write
/// wakes the reader an eighth as often.
final class PipeSink: DownloadSink {
    private static let flushThreshold = 128 << 10

    private let descriptor: Int32
    private let pending = Mutex<[UInt8]>([])

    init(descriptor: Int32) {
        self.descriptor = descriptor
        pending.withLock { $0.reserveCapacity(2 * PipeSink.flushThreshold) }
    }

    func begin(_ head: TransportResponseHead) throws(TransportError) {
        guard let lines = head.lines else { throw .helperFailed(status: 0, detail: "a line break in a URL or header") }
        try write(Data(lines))
        // The head is flushed immediately, so that the reader knows the body's length while the body arrives.
        try end()
    }

    func write(_ piece: Data) throws(TransportError) {
        try pending.withLock { pending throws(TransportError) in
            pending += piece
            if pending.count >= PipeSink.flushThreshold { try PipeSink.flush(&pending, to: descriptor) }
        }
    }

    func end() throws(TransportError) {
        try pending.withLock { pending throws(TransportError) in try PipeSink.flush(&pending, to: descriptor) }
    }

    private static func flush(_ pending: inout [UInt8], to descriptor: Int32) throws(TransportError) {
        let count = pending.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        guard count == pending.count else { throw .interrupted }
        pending.removeAll(keepingCapacity: true)
    }
}
