import FoundationEssentials
import Glibc

/// A file of the time zone database (RFC 9636). The C library reads beyond the end of some that are malformed.
struct TimeZoneFile {
    private static let mark = Array("TZif".utf8)
    private static let headerSize = 44

    /// Whether the file at `path` says that it is one, and is not. Other files the C library refuses itself.
    static func isMalformed(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        guard status.st_size < 1 << 20 else { return true }
        guard let bytes = try? Array(Data(contentsOf: URL(filePath: path))), bytes.starts(with: mark) else {
            return false
        }
        guard bytes.count > headerSize else { return true }
        if bytes[4] == 0 { return !isBlock(bytes[...], timeSize: 4) }
        // The first block is for programs that know no other.
        let start = headerSize + bodySize(counts(bytes[...]), timeSize: 4)
        return start + headerSize > bytes.count || !isBlock(bytes[start...], timeSize: 8)
    }

    /// Of UT indicators, standard indicators, leap seconds, transitions, types and characters.
    private static func counts(_ block: ArraySlice<UInt8>) -> [Int] {
        (0..<6).map { block.dropFirst(20 + 4 * $0).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    }

    private static func bodySize(_ counts: [Int], timeSize: Int) -> Int {
        counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1] + counts[0]
    }

    /// Whether `block` begins with a header, and what follows has all that it says.
    private static func isBlock(_ block: ArraySlice<UInt8>, timeSize: Int) -> Bool {
        let counts = counts(block)
        let (transitions, types, characters) = (counts[3], counts[4], counts[5])
        guard block.starts(with: mark), types > 0, characters > 0,
            headerSize + bodySize(counts, timeSize: timeSize) <= block.count
        else { return false }
        let numbers = block.dropFirst(headerSize + transitions * timeSize)
        let records = Array(numbers.dropFirst(transitions).prefix(6 * types))
        let names = numbers.dropFirst(transitions + 6 * types).prefix(characters)
        return numbers.prefix(transitions).allSatisfy { $0 < types } && names.last == 0
            && stride(from: 0, to: records.count, by: 6).allSatisfy {
                records[$0 + 4] < 2 && records[$0 + 5] < characters
            }
    }
}
