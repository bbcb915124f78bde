import Crypto
public import FoundationEssentials

/// SHA-256 of a document, by which two people can tell that they read the same bytes.
public enum BodyDigest {
    /// The digest of `data`, as 64 lower-case hexadecimal digits.
    public static func hexadecimal(of data: Data) -> String {
        SHA256.hash(data: data).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Begins to work out the digest of `data` on another thread; the answer waits for it.
    public static func begin(of data: Data) -> @Sendable () -> String {
        let digest = DeferredValue { hexadecimal(of: data) }
        return { digest.wait() }
    }
}
