import CQuakes
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeFeed

@Suite("SHA-256")
struct SHA256Tests {
    typealias Function = @Sendable (Data) -> Data

    /// With this processor's instructions where it has them, and without.
    static let ways: [(name: String, digest: Function)] = [
        ("as the program computes it", { digest(of: $0, quakes_sha256) }),
        ("portable", { digest(of: $0, quakes_sha256_portable) }),
    ]

    private static func digest(
        of bytes: Data, _ function: (UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void
    ) -> Data {
        var digest = [UInt8](repeating: 0, count: 32)
        bytes.withUnsafeBytes { function($0.baseAddress, $0.count, &digest) }
        return Data(digest)
    }

    private func hexadecimal(_ bytes: Data) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test(
        "The vectors of NIST (FIPS 180-2, appendix B, and the empty message)",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func vectors(text: String, times: Int, digest: String) {
        let message = Data(String(repeating: text, count: times).utf8)
        for way in Self.ways { #expect(hexadecimal(way.digest(message)) == digest, "\(way.name)") }
    }

    @Test("Messages of every length around the ends of blocks")
    func lengths() {
        // Python: hashlib.sha256 over hashlib.sha256(bytes((7 * i + n) & 255 for i in range(n))).digest(), n in range(201)
        let expected = "e673d33f6940a6d3856d0d305fd88363ae0ba3b96e2411d8ddd5e0dd443f4525"
        for way in Self.ways {
            let digests = (0...200).map { count in
                way.digest(Data((0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + count) }))
            }
            #expect(hexadecimal(way.digest(Data(digests.joined()))) == expected, "\(way.name)")
        }
    }

    @Test("The digest of a document is its SHA-256, however often it is asked for")
    func document() throws {
        let body = Data(#"{"type":"FeatureCollection","features":[]}"#.utf8)
        let snapshot = try FeedSnapshot(body, source: "test")
        // sha256sum of these bytes.
        #expect(snapshot.sha256 == "ed778c73ea51338d6576fb5992b189f2b94d9f3d5e199f46c1af520d6b0b3e6c")
        #expect(snapshot.sha256 == snapshot.sha256)
    }

    @Test("The digest of a document is what sha256sum says about its file", .needsRealData)
    func realFeeds() async throws {
        let folder = try RealData.url("feeds")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".geojson") }.sorted()
        try #require(!names.isEmpty)
        for name in names {
            let path = folder.appending(path: name).path
            let expected = try await ProcessRunner(path: "/usr/bin/sha256sum").run(path).output.prefix(64)
            let body = try Data(contentsOf: URL(filePath: path))
            #expect(try FeedSnapshot(body, source: path).sha256 == expected, "\(name)")
            for way in Self.ways { #expect(hexadecimal(way.digest(body)) == expected, "\(name), \(way.name)") }
        }
    }
}
