import QuakeStore

/// A time on one of the history's two clocks: `2h` is when changes were recorded in the cache, `published:2h` is when
/// USGS published them.
struct HistoryTime: Hashable, Sendable {
    var time: TimeExpression
    var isPublished: Bool

    static func parse(_ text: String) throws -> HistoryTime {
        if let time = try find(text) { return time }
        throw TimeExpression.malformed(text)
    }

    /// Returns the time, or nil for other text. Throws a usage error as ``TimeExpression/find(_:)`` does.
    static func find(_ text: String) throws -> HistoryTime? {
        let rest = text.trimmingPrefix(/(?i)published: */)
        return try TimeExpression.find(String(rest)).map { HistoryTime(time: $0, isPublished: rest.count < text.count) }
    }

    func generation(now: Timestamp, zone: DisplayTimeZone) -> QuakeGeneration {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }

    /// Returns the position from which to read the changes after this time.
    func start(now: Timestamp, zone: DisplayTimeZone) -> HistoryDescriptor.Start {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }
}
