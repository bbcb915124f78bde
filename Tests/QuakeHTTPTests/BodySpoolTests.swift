import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeHTTP

@Suite("Spooling bodies", .scratch) struct BodySpoolTests {
    private func collect(_ pieces: [Data], memoryLimit: Int, directory: String) throws -> Data {
        var spool = BodySpool(memoryLimit: memoryLimit, directory: directory)
        for piece in pieces {
            var failure: TransportError?
            piece.withUnsafeBytes { bytes in
                do throws(TransportError) { try spool.append(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        return try spool.finish()
    }

    @Test(
        "BodySpool returns the received bytes unchanged, whether from memory or from a file", arguments: [0, 5, 6, 100])
    func sameBytes(memoryLimit: Int) throws {
        let scratch = try ScratchDirectory.ofTest()
        let pieces = ["abc", "", "def", "ghi"].map { Data($0.utf8) }
        #expect(try collect(pieces, memoryLimit: memoryLimit, directory: scratch.url.path) == Data("abcdefghi".utf8))
    }

    @Test("BodySpool leaves no file in its directory, even while the body is still in use") func noFile() throws {
        let scratch = try ScratchDirectory.ofTest()
        let body = try collect([Data(repeating: 1, count: 100)], memoryLimit: 10, directory: scratch.url.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
        #expect(body.count == 100)
    }

    @Test("If BodySpool cannot create its file, the error names the directory") func unusableDirectory() throws {
        #expect(throws: TransportError.spoolFailed(directory: "/nowhere", cause: "No such file or directory")) {
            try collect([Data("abc".utf8)], memoryLimit: 1, directory: "/nowhere")
        }
    }
}
