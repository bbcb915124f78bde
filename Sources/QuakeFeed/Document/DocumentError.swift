public import QuakeModel

/// Why a document must not be believed at all.
public enum DocumentError: Error, Hashable, Sendable {
    /// Nothing was in it.
    case empty
    /// It is a web page, as proxies and captive portals send.
    case webPage
    /// It ends before it is complete.
    case truncated(bytes: Int)
    /// It is not JSON; `offset` is where the first fault stands, counted in bytes.
    case notJSON(offset: Int, reason: String)
    /// It is JSON, but not a GeoJSON FeatureCollection.
    case notAFeatureCollection(found: String)
    /// It is JSON, but not the GeoJSON Feature the event service answers with.
    case notAFeature(found: String)
    /// The source reports a failure inside a document that was delivered well.
    case sourceFailure(status: Int, title: String?)
    /// It is another feed than the one asked for.
    case otherFeed(asked: String, found: String)
    /// It says that it was made more than a day after now, and would make every later one old.
    case fromTheFuture(generated: Timestamp, now: Timestamp)
    /// More than half of its quakes lie outside its own window.
    case outsideWindow(count: Int, of: Int, name: String)
    /// More than half of its features, and more than 20, cannot be read; `first` is one of them.
    case mostlyUnreadable(count: Int, of: Int, first: SkippedFeature)
    /// It holds features that cannot be read, and none was to be skipped.
    case badFeatures([SkippedFeature])
    /// A step longer than a body may be.
    case tooLarge(limit: Int)
}

/// A feature that could not be read: which one, and what is wrong with it.
public struct SkippedFeature: Hashable, Sendable {
    /// Counted from 1 in the order of the document.
    public var position: Int
    /// Its id, where that could be read.
    public var id: String?
    /// What is wrong with it.
    public var defect: FeatureDefect

    /// The feature at `position`.
    public init(position: Int, id: String?, defect: FeatureDefect) {
        self.position = position
        self.id = id
        self.defect = defect
    }
}

/// What is wrong with a feature.
public enum FeatureDefect: Error, Hashable, Sendable {
    /// It is not an object.
    case notAnObject
    /// It is not JSON.
    case notJSON(String)
    /// A member that must be there is not, or is null.
    case missing(String)
    /// A member is of another kind than it must be.
    case wrongKind(member: String, expected: String)
    /// A number lies outside what it can mean.
    case outOfRange(member: String, value: String)
    /// The id is not network and code written together.
    case idMismatch(id: String, net: String, code: String)
    /// The document lists the id twice; the first one stands.
    case duplicate(id: String)
}
