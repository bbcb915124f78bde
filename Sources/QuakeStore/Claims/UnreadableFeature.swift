public import QuakeModel

/// A feature in an answer of the event service that could not be read. The claim about its origin times is true of all
/// quakes but this one, and updates ask for it until it can be read or is deleted.
public struct UnreadableFeature: Hashable, Sendable, Codable {
    /// The id of the feature.
    public var id: String
    /// The origin times that were asked for; those of the feature may not be readable.
    public var originTimes: Range<Timestamp>
    /// What is wrong with it, as text.
    public var reason: String

    /// A feature of these origin times.
    public init(id: String, originTimes: Range<Timestamp>, reason: String) {
        (self.id, self.originTimes, self.reason) = (id, originTimes, reason)
    }
}

extension StoreSources {
    /// The features that could not be read, by their ids.
    public func unreadableFeatures() throws -> [UnreadableFeature] { try context.database().unreadableFeatures() }
}

extension QuakeWriter {
    /// The features that could not be read, as this transaction sees them.
    package func unreadableFeatures() throws -> [UnreadableFeature] { try database.unreadableFeatures() }

    /// Notes that a feature could not be read, in place of what was noted of it before.
    package func note(_ feature: UnreadableFeature) throws {
        try writing {
            try database.run(
                CheckedTable.unreadable.insertion("OR REPLACE"), feature.id,
                feature.originTimes.lowerBound.milliseconds, feature.originTimes.upperBound.milliseconds,
                feature.reason)
        }
    }

    /// Notes that a feature was read, or no longer exists.
    package func drop(_ feature: UnreadableFeature) throws {
        try writing { try database.run("DELETE FROM unreadable WHERE id = ?", feature.id) }
    }
}

extension Database {
    fileprivate func unreadableFeatures() throws -> [UnreadableFeature] {
        try all("SELECT id, since, until, reason FROM unreadable ORDER BY id") { row in
            let since = row.timestamp(1)
            return UnreadableFeature(
                id: row.text(0), originTimes: since..<max(since, row.timestamp(2)),
                reason: row.text(3))
        }
    }
}
