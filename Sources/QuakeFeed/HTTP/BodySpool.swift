package import FoundationEssentials
import Glibc

/// Collects a body: in memory while it is small, then in a file without a name.
///
/// Need: a feed of 10 MB should not touch the disk; an answer of hundreds must not fill the memory. Choice: beyond
/// `memoryLimit` bytes everything goes to an unlinked file that is mapped at the end, so that the kernel may drop its
/// pages. Price: a large body needs space in the temporary directory.
package struct BodySpool: ~Copyable {
    /// How many bytes came so far.
    package private(set) var count = 0
    private let memoryLimit: Int
    private let directory: String
    private var memory = Data()
    private var file: Descriptor?

    /// - Parameter memoryLimit: By default enough for any summary feed; the largest has 10 MB.
    package init(memoryLimit: Int = 16 << 20, directory: String = "/tmp") {
        self.memoryLimit = memoryLimit
        self.directory = directory
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        count += bytes.count
        if fileNumber == nil {
            if count <= memoryLimit {
                memory.append(contentsOf: bytes)
                return
            }
            file = try makeFile()
            guard memory.withUnsafeBytes({ write($0) }) else { throw failure() }
            memory = Data()
        }
        guard write(bytes) else { throw failure() }
    }

    /// The whole body.
    package consuming func finish() throws(TransportError) -> Data {
        guard let number = fileNumber else { return memory }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, number, 0), start != MAP_FAILED else {
            throw failure()
        }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { start, count in munmap(start, count) })
    }

    private var fileNumber: Int32? {
        switch file {
        case .some(let file): file.number
        case .none: nil
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch file {
        case .some(let file): file.write(bytes)
        case .none: false
        }
    }

    private func makeFile() throws(TransportError) -> Descriptor {
        var path = Array("\(directory)/quakes-body-XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw failure() }
        unlink(path)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return Descriptor(number)
    }

    private func failure() -> TransportError {
        .spoolFailed(directory: directory, cause: systemMessage())
    }
}
