public import FoundationEssentials

/// The bytes of a document, and where its features lie if that was found out while it arrived.
public struct FeedDocument: Sendable {
    /// The bytes as they came.
    public let bytes: Data
    private let scanned: DeferredValue<Result<FeatureScanner, DocumentError>>?
    private let knownDigest: String?

    /// A document of `bytes` that nobody has looked at yet.
    public init(_ bytes: Data) {
        self.init(bytes, scanned: nil)
    }

    init(_ bytes: Data, scanned: DeferredValue<Result<FeatureScanner, DocumentError>>?, digest: String? = nil) {
        self.bytes = bytes
        self.scanned = scanned
        knownDigest = digest
    }

    /// Begins to work out the digest on another thread, where it was not worked out before; the answer waits for it.
    public func beginDigest() -> @Sendable () -> String {
        if let knownDigest { return { knownDigest } }
        let digest = DeferredValue { [bytes] in BodyDigest.hexadecimal(of: bytes) }
        return { digest.wait() }
    }

    func scan() throws(DocumentError) -> FeatureScanner {
        guard let scanned else { return try FeatureScanner(bytes) }
        return try scanned.wait().get()
    }
}
