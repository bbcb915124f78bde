import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

/// One document to bring into the cache. In what feeds and windows differ follows from it.
enum MirrorTask {
    /// A feed, the answer to a query, a file or standard input.
    case source(FeedSource)
    /// A window of the catalogue.
    case window(WindowTask)
}

/// A window of the catalogue that the event service is asked for.
struct WindowTask {
    /// What is asked for, in the origin times of the window.
    var stretch: CatalogueStretch
    /// Whether another window of the stretch begins where this one ends. Both list the quakes of the second in which
    /// they meet, and the service counts these once.
    var isFollowed: Bool
    /// An answer with so many features may lack some, and is refused; nil to take any.
    var limit: Int?
    /// The epoch of the claims that the plan was made by.
    var epoch: Int64
    /// The windows that are proven whole when this one comes, itself among them; nil if none are yet.
    var proof: (FetchedWindow) -> [FetchedWindow]?
}

/// A document that came.
struct Answer {
    var document: FeedSnapshot
    /// The request that it answers; of a file, the address that it names, or its path.
    var address: String
    /// What recognises the document the next time.
    var validators = CacheValidators()
    /// When it was made, by its own word or that of the server.
    var published: Timestamp
    /// When it was asked for.
    var asked: Timestamp

    /// What the source published before this moment is in the document: the earlier one of both clocks.
    var asOf: Timestamp { min(published, asked) }
}

/// Claims were taken back since the plan was made.
struct OutdatedPlan: Error {}

/// An answer has as many features as the service ever sends, and may lack some.
struct FullAnswer: Error {}

/// The limits of this run end it.
struct EndOfRun: Error {}
