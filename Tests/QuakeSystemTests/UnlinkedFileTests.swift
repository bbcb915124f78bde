import Foundation
import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

@Suite("Files without a name", .scratch) struct UnlinkedFileTests {
    @Test("An unlinked temporary file can be read back and never appears in its folder") func contents() throws {
        let scratch = try ScratchDirectory.ofTest()
        let file = try UnlinkedFile(in: scratch.url.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
        for piece in ["abc", "", "defgh"] {
            #expect(Array(piece.utf8).withUnsafeBytes { file.append($0) } == piece.utf8.count)
        }
        var buffer = [UInt8](repeating: 0, count: 4)
        let counts = [0, 4, 8].map { offset in buffer.withUnsafeMutableBytes { file.read(into: $0, at: offset) } }
        #expect(counts == [4, 4, 0] && buffer == Array("efgh".utf8))
        let mapped = UnsafeRawBufferPointer(start: try file.mapped(count: 8), count: 8)
        #expect(String(decoding: mapped, as: UTF8.self) == "abcdefgh")
        munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), 8)
    }

    @Test("Creating an unlinked temporary file in a missing folder throws ENOENT") func missingFolder() {
        #expect { _ = try UnlinkedFile(in: "/nowhere") } throws: { ($0 as? SystemError)?.code == ENOENT }
    }
}
