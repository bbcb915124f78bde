import Foundation
import QuakeTestSupport

/// Overwrites the start of the first page of quakes, as a faulty disk may, in a cache without a log.
func damagePages(of path: String) throws {
    let root = try SQLiteFile(path: path).rows("SELECT rootpage FROM sqlite_master WHERE name = 'quakes'")
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64((root.first?["rootpage"]?.integer ?? 1) - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 64))
    try file.close()
}
