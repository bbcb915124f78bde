import Foundation
import Testing

@testable import QuakeFeed

/// The vectors of FIPS 180-4 and of NIST's validation system, and every length around the edge of a block.
struct BodyDigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func publishedVectorsHold(text: String, digest: String) {
        #expect(BodyDigest.hexadecimal(of: Data(text.utf8)) == digest)
    }

    @Test func aSliceIsItsOwnBytes() {
        let data = Data("xxabcxx".utf8)
        #expect(
            BodyDigest.hexadecimal(of: data[2..<5])
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// sha256sum of 0, 1, 2 … 129 times the letter a, joined: computed once with coreutils.
    @Test func everyLengthAroundABlockIsPaddedRight() {
        let digests = (0..<130).map { BodyDigest.hexadecimal(of: Data(repeating: 0x61, count: $0)) }.joined()
        #expect(
            BodyDigest.hexadecimal(of: Data(digests.utf8))
                == "c665ed20ef30f158e90c7e921d8182bc0943c4b087a82f64a18d417bcdfadce7")
    }
}
