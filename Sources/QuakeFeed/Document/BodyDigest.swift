import Crypto
import FoundationEssentials

/// SHA-256 of a document, by which two people can tell that they read the same bytes.
enum BodyDigest {
    /// The digest of `data`, as 64 lower-case hexadecimal digits.
    static func hexadecimal(of data: Data) -> String {
        hexadecimal(SHA256.hash(data: data))
    }

    static func hexadecimal(_ digest: SHA256.Digest) -> String {
        digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
