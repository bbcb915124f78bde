package import FoundationEssentials
import Glibc
import QuakeSystem

/// Collects a body in memory while it is small, otherwise in an unlinked file. The finished file is mapped into memory,
/// so that the kernel can drop its pages.
package struct BodySpool: ~Copyable {
    /// The number of bytes received so far.
    package private(set) var count = 0
    private let memoryLimit: Int
    private let directory: String
    private var memory = Data()
    private var file: UnlinkedFile?

    /// - Parameter memoryLimit: the size in bytes of the largest body kept in memory. The default suffices for any
    ///   summary feed (at most 10 MB).
    package init(memoryLimit: Int = 16 << 20, directory: String = "/tmp") {
        self.memoryLimit = memoryLimit
        self.directory = directory
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        count += bytes.count
        do throws(SystemError) {
            if file == nil {
                if count <= memoryLimit {
                    memory.append(contentsOf: bytes)
                    return
                }
                file = try UnlinkedFile(in: directory)
                guard memory.withUnsafeBytes({ write($0) }) else { throw SystemError() }
                memory = Data()
            }
            guard write(bytes) else { throw SystemError() }
        } catch {
            throw .spoolFailed(directory: directory, cause: error.reason)
        }
    }

    /// Returns the complete body.
    package consuming func finish() throws(TransportError) -> Data {
        guard let file else { return memory }
        do throws(SystemError) {
            let start = try file.mapped(count: count)
            return Data(
                bytesNoCopy: start, count: count, deallocator: .custom { start, count in munmap(start, count) })
        } catch {
            throw .spoolFailed(directory: directory, cause: error.reason)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch file {
        case .some(let file): file.append(bytes) == bytes.count
        case .none: false
        }
    }
}
