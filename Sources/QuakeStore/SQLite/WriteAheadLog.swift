import Glibc

/// The write-ahead log beside a cache file, read without SQLite.
///
/// Someone may restore a backup with `cp` although a log from a crash is still there. SQLite would apply that log and
/// mix pages of two states. Every commit of this library writes page 1, whose header counts the connections that
/// changed the file. A log contains every page changed since its start, so it fits a file whose count lies between the
/// counts at the log's start and end. Two cases go unrecognized: a replaced file whose count happens to fit, as with
/// two young caches, and two states written by one connection that stayed open.
///
/// Each frame consists of a header of 24 bytes and a page. Frames whose salts differ from the log's are left over from
/// an earlier use of the file (SQLite file format, section 4).
struct WriteAheadLog {
    private let file: ReadOnlyFile
    private let header: [UInt8]
    private let pageSize: Int
    /// The file header after the log's first transaction.
    private var first: FileHeader?

    /// The log beside `path`; nil if it has no complete transaction, or if the first one does not write page 1.
    init?(ofDatabaseAt path: String) {
        guard let file = ReadOnlyFile(path + "-wal"), let header = file.bytes(at: 0, count: 32) else { return nil }
        self.file = file
        self.header = header
        pageSize = Int(header.bigEndian(at: 8))
        guard header.bigEndian(at: 0) & ~1 == 0x377F_0682, pageSize >= 512, pageSize <= 65_536 else { return nil }
        first = committedHeader(ofFirst: true)
        guard first != nil else { return nil }
    }

    /// Whether SQLite may apply the log to a file that has `header`.
    func fits(_ header: FileHeader) -> Bool {
        // A connection that keeps writing after a checkpoint does not increment the counter again.
        guard let first, header.changeCounter &+ 1 >= first.changeCounter else { return false }
        func reaches(_ last: FileHeader?) -> Bool { last.map { header.changeCounter <= $0.changeCounter } ?? false }
        // The last frame of page 1 usually decides. After a power failure, that frame may be missing from the disk.
        return reaches(lastHeader()) || reaches(committedHeader(ofFirst: false))
    }

    private func offset(of frame: Int) -> Int { 32 + frame * (24 + pageSize) }

    /// The number of the page in a frame, and whether the frame ends a transaction; nil after the last frame.
    private func frame(at index: Int) -> (page: UInt32, isCommit: Bool)? {
        guard let bytes = file.bytes(at: offset(of: index), count: 24), bytes[8..<16] == header[16..<24] else {
            return nil
        }
        return (bytes.bigEndian(at: 0), bytes.bigEndian(at: 4) != 0)
    }

    private func databaseHeader(in frame: Int) -> FileHeader? {
        file.bytes(at: offset(of: frame) + 24, count: FileHeader.size).map(FileHeader.init(page:))
    }

    /// The header that the first complete transaction writes or, if `isFirst` is false, the last header that a complete
    /// transaction writes. Reads only as far as the checksums are correct.
    private func committedHeader(ofFirst isFirst: Bool) -> FileHeader? {
        var last: FileHeader?
        var found: FileHeader?
        var checksum = Checksum(isBigEndian: header.bigEndian(at: 0) & 1 == 1)
        checksum.add(header[0..<24])
        var index = 0
        while let frame = frame(at: index), let bytes = file.bytes(at: offset(of: index), count: 24 + pageSize) {
            checksum.add(bytes[0..<8])
            checksum.add(bytes[24...])
            guard checksum.first == bytes.bigEndian(at: 16), checksum.second == bytes.bigEndian(at: 20) else { break }
            if frame.page == 1 { found = databaseHeader(in: index) }
            if frame.isCommit {
                if isFirst { return found }
                last = found ?? last
                found = nil
            }
            index += 1
        }
        return last
    }

    /// The header in the last frame of page 1, whose transaction need not be complete.
    private func lastHeader() -> FileHeader? {
        var index = count() - 1
        while index >= 0 {
            if frame(at: index)?.page == 1 { return databaseHeader(in: index) }
            index -= 1
        }
        return nil
    }

    /// The number of frames with the log's salts. All frames after them have other salts.
    private func count() -> Int {
        var low = 0
        var high = max(0, (file.size - 32) / (24 + pageSize))
        while low < high {
            let middle = (low + high) / 2
            if frame(at: middle) == nil { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The contents of a database's header, which is in its first page (SQLite file format, section 1.3).
    struct FileHeader {
        /// The header's size in bytes.
        static let size = 100

        /// Incremented by each connection that changes the file.
        let changeCounter: UInt32
        let applicationID: Int64
        /// Whether the database is in WAL mode.
        let usesLog: Bool

        /// Reads the header at the start of `page`, the first page of a database.
        init(page: [UInt8]) {
            changeCounter = page.bigEndian(at: 24)
            applicationID = Int64(page.bigEndian(at: 68))
            usesLog = page[18] == 2 && page[19] == 2
        }

        /// Reads the header of the file at `path`; nil if the file is missing or too short.
        init?(ofDatabaseAt path: String) {
            guard let page = ReadOnlyFile(path)?.bytes(at: 0, count: Self.size) else { return nil }
            self.init(page: page)
        }
    }
}

/// The running checksum of a log (SQLite file format, section 4.2).
private struct Checksum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds `bytes` to the checksum. Their number must be a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            first = first &+ word(bytes, index) &+ second
            second = second &+ word(bytes, index + 4) &+ first
            index += 8
        }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
        let value = bytes.bigEndian(at: index)
        return isBigEndian ? value : value.byteSwapped
    }
}

/// A file that is read at given offsets and closed on release.
private final class ReadOnlyFile {
    private let descriptor: Int32
    let size: Int

    /// Opens the file; nil if it is missing, unreadable, or not a regular file.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The `count` bytes at `offset`; nil if the file has fewer.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
        return bytes.count == count ? bytes : nil
    }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
    /// The big-endian number in the four bytes starting at `index`.
    fileprivate func bigEndian(at index: Int) -> UInt32 { self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}
