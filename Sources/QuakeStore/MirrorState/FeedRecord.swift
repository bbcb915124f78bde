public import QuakeModel

/// What the cache knows of one feed: when it was asked, what it said last, whom it listed.
public struct FeedRecord: Hashable, Sendable {
    /// `all_week`, or the address of something that is no summary feed.
    public var name: String
    /// The address it was last asked from.
    public var url: String?
    /// The `generated` of the newest snapshot applied.
    public var generated: Timestamp?
    /// The ETag that came with it.
    public var etag: String?
    /// The Last-Modified that came with it.
    public var lastModified: String?
    /// When the source last answered well: with a document, or that there is nothing new.
    public var checked: Timestamp?
    /// When a snapshot was last applied.
    public var applied: Timestamp?
    /// Features in the newest snapshot applied.
    public var featureCount: Int?
    /// The source asked not to be called before this.
    public var notBefore: Timestamp?
    /// The last failure, until the next success.
    public var error: String?
    /// When that failure was.
    public var errorTime: Timestamp?

    /// A feed of which nothing is known.
    public init(name: String) {
        self.name = name
    }
}
