import Foundation
import Glibc

/// Collects a body: in memory while it is small, in a file without a name when it grows.
///
/// Need: a feed of 10 MB should not touch the disk, and is scanned while it comes; an answer of hundreds must not fill the
/// memory. Choice: beyond `memoryLimit` bytes everything goes to an unlinked file that is mapped at the end, so that the kernel may drop its
/// pages. Price: a large body needs room in the temporary directory.
struct BodySpool: ~Copyable {
    /// How many bytes came so far.
    private(set) var count = 0
    private let memoryLimit: Int
    private let directory: String
    private var memory: ArrivingDocument?
    private var file: Descriptor?

    init(memoryLimit: Int = ArrivingDocument.usualRoom, directory: String = "/tmp") {
        self.memoryLimit = memoryLimit
        self.directory = directory
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        count += bytes.count
        if file == nil, count > memoryLimit {
            file = try openFile()
            let collected = memory?.finish().bytes
            memory = nil
            guard collected?.withUnsafeBytes({ write($0) }) ?? true else { throw failure() }
        }
        if file == nil {
            try remember(bytes)
        } else if !write(bytes) {
            throw failure()
        }
    }

    private mutating func remember(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        let document = memory ?? ArrivingDocument(capacity: memoryLimit, isDigested: true)
        guard let document, let room = document.makeRoom() else {
            throw .spoolFailed(directory: "memory", cause: systemMessage(ENOMEM))
        }
        room.copyMemory(from: bytes)
        document.arrived(bytes.count)
        memory = document
    }

    /// The whole body.
    consuming func finish() throws(TransportError) -> FeedDocument {
        guard let number = fileNumber else { return memory?.finish() ?? FeedDocument(Data()) }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, number, 0), start != MAP_FAILED else {
            throw failure()
        }
        return FeedDocument(
            Data(bytesNoCopy: start, count: count, deallocator: .custom { start, count in munmap(start, count) }))
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

    private func openFile() throws(TransportError) -> Descriptor {
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
