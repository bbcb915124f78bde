import FoundationEssentials
import Glibc

/// Reads a file, or whatever else a descriptor stands for, from where it is to its end.
///
/// Read, not mapped: a file that shrinks under a map ends the process. One buffer of the file's own size, because Foundation's
/// way through a zeroed buffer costs as much again as the reading.
enum FileContents {
    /// The whole of the file at `path`, or of standard input where there is none.
    static func read(path: String?, limit: Int) throws(FeedError) -> Data {
        let name = path ?? "standard input"
        let number = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
        guard number >= 0 else { throw .unreadable(path: name, reason: systemMessage()) }
        let descriptor = Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .unreadable(path: name, reason: systemMessage()) }
        // One byte more than the file has, so that its end shows without a second buffer.
        var capacity = max(Int(status.st_size) + 1, 65_536)
        guard var buffer = malloc(capacity) else { throw .unreadable(path: name, reason: systemMessage(ENOMEM)) }
        var count = 0
        while true {
            if count == capacity {
                capacity *= 2
                guard let larger = realloc(buffer, capacity) else {
                    free(buffer)
                    throw .unreadable(path: name, reason: systemMessage(ENOMEM))
                }
                buffer = larger
            }
            let received = descriptor.read(
                into: UnsafeMutableRawBufferPointer(start: buffer + count, count: capacity - count))
            guard received >= 0, count + received <= limit else {
                let failure: FeedError =
                    received < 0
                    ? .unreadable(path: name, reason: systemMessage())
                    : .document(.tooLarge(limit: limit), source: name)
                free(buffer)
                throw failure
            }
            if received == 0 { return Data(bytesNoCopy: buffer, count: count, deallocator: .free) }
            count += received
        }
    }

    static func isReadOnce(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}
