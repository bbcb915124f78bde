import QuakeStore

/// A time on one of the history's two clocks: `2h` refers to the cache's clock, `published:2h` to publication times.
struct HistoryTime: Hashable, Sendable {
    var time: TimeExpression
    var isPublished: Bool

    static func parse(_ text: String) throws -> HistoryTime {
        let time = try TimeExpression.parse(text.replacing(/^published:/, with: ""))
        return HistoryTime(time: time, isPublished: text.hasPrefix("published:"))
    }

    func generation(now: Timestamp, zone: LocalTime) -> QuakeGeneration {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }

    /// Returns the position after this time.
    func start(now: Timestamp, zone: LocalTime) -> HistoryDescriptor.Start {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }
}
