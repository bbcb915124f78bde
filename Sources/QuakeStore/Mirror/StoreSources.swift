/// What a cache knows about its sources: the feeds that were asked, what complete documents have covered, and
/// unconfirmed changes.
///
/// Feeds and doubts are those of the present, even in a pinned context.
public struct StoreSources {
    let context: QuakeContext
}

extension QuakeContext {
    /// The feeds of the cache, what it claims to hold, and what is doubted.
    public var sources: StoreSources { StoreSources(context: self) }
}
