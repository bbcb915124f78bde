public struct DownloadProgress: Hashable, Sendable {
    /// The number of body bytes received so far, after decoding.
    public var receivedBytes: Int
    /// The length of the whole body in bytes; nil if the server has not announced it or compresses the body.
    public var expectedBytes: Int?

    public init(receivedBytes: Int, expectedBytes: Int? = nil) {
        self.receivedBytes = receivedBytes
        self.expectedBytes = expectedBytes
    }
}
