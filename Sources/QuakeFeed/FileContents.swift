import FoundationEssentials
import Glibc

/// Reads a file, or whatever else a descriptor stands for, from where it is to its end.
enum FileContents {
    /// Pieces that fit the processor's cache: the scanner follows close behind.
    private static let pieceSize = 256 << 10

    /// The whole of the file at `path`, or of standard input where there is none.
    static func read(path: String?, limit: Int) throws(FeedError) -> FeedDocument {
        if let path, let file = LeasedFile(path, limit: limit) { return file.document }
        let name = path ?? "standard input"
        let number = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
        guard number >= 0 else { throw .unreadable(path: name, reason: systemMessage()) }
        let descriptor = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .unreadable(path: name, reason: systemMessage()) }
        // One byte more than the file has, so that its end shows without a second buffer. Some files (/proc) tell no size.
        let isFile = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        let capacity = isFile ? min(Int(status.st_size), limit) + 1 : ArrivingDocument.usualRoom
        guard let document = ArrivingDocument(capacity: capacity)
        else { throw .unreadable(path: name, reason: systemMessage(ENOMEM)) }
        while true {
            guard let room = document.makeRoom() else { throw .unreadable(path: name, reason: systemMessage(ENOMEM)) }
            let received = descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(pieceSize)))
            guard received >= 0 else { throw .unreadable(path: name, reason: systemMessage()) }
            if received == 0 { return document.finish() }
            document.arrived(received)
            guard document.count <= limit else { throw .document(.tooLarge(limit: limit), source: name) }
        }
    }

    static func isReadOnce(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}
