public import FoundationEssentials

/// The bytes of a document, and where its features lie if that was found out while it arrived.
public struct FeedDocument: Sendable {
    /// The bytes as they came.
    public let bytes: Data
    private let scanned: DeferredValue<Result<FeatureScanner, DocumentError>>?

    /// A document of `bytes` that nobody has looked at yet.
    public init(_ bytes: Data) {
        self.bytes = bytes
        scanned = nil
    }

    init(_ bytes: Data, scanned: DeferredValue<Result<FeatureScanner, DocumentError>>) {
        self.bytes = bytes
        self.scanned = scanned
    }

    func scan() throws(DocumentError) -> FeatureScanner {
        guard let scanned else { return try FeatureScanner(bytes) }
        return try scanned.wait().get()
    }
}
