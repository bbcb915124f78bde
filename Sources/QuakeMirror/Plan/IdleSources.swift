/// The sources that the cache forgets: URLs and files not requested for 90 days, and those beyond the 500 most recently
/// requested. Otherwise, a program that requests a new URL every hour would leave a row for each. Sources with a pause
/// in force are kept, and so are quakes, history and coverage. Once a source is forgotten, any snapshot from it counts
/// as new, even an old one.
enum IdleSources {
    static let maximumIdleTime = Duration.seconds(90 * 86_400)
    static let maximumCount = 500

    static func names(among feeds: [FeedRecord], now: Timestamp) -> [String] {
        let sources = feeds.filter { feed in
            !feed.isService && FeedName(feed.name) == nil && feed.pause(at: now) == nil
        }
        let lastFirst = sources.sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        return lastFirst.enumerated().filter { index, feed in
            index >= maximumCount || feed.lastAsked.map { now - $0 > maximumIdleTime } ?? true
        }.map(\.element.name)
    }
}
