import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

/// One document to bring into the cache. In what feeds and windows differ follows from it.
enum MirrorTask {
    /// A feed, the answer to a query, a file or standard input.
    case source(FeedSource)
    /// A window of the catalog.
    case window(WindowTask)
}

/// A window of the catalog that the event service is asked for.
struct WindowTask {
    /// What is asked for, in the origin times of the window.
    var stretch: CatalogStretch
    /// How many quakes the service counted in it before: an answer with fewer is not claimed.
    var counted: Int
    /// The epoch of the claims that the plan was made by.
    var epoch: Int64
}

/// A document that came.
struct Answer {
    var document: FeedSnapshot
    /// The request that it answers; of a file, the address that it names, or its path.
    var address: String
    /// What recognizes the document the next time.
    var validators = CacheValidators()
    /// When it was made, as the document or the server says.
    var published: Timestamp
    /// When it was asked for.
    var asked: Timestamp

    /// What the source published before this moment is in the document: the earlier one of both clocks.
    var asOf: Timestamp { min(published, asked) }
}

/// Claims were taken back since the plan was made.
struct OutdatedPlan: Error {}

/// The limits of this run end it.
struct EndOfRun: Error {}
