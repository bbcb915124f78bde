import QuakeModel
import QuakeStore

/// The sources that the cache forgets, because nobody asks them any more.
///
/// Need: a program that asks a new address every hour leaves a row for each, with the list of its quakes. Hazard: what
/// is forgotten is downloaded in full the next time, and a pause that a server asked for must be kept. Choice:
/// addresses and files that were not asked for 90 days, the longest time between two looks at anything that is kept up
/// to date, and those beyond the 500 that were asked last. Quakes, history and claims stay. Price: an older snapshot
/// of a forgotten source counts as new.
enum IdleSources {
    static let patience = Duration.seconds(90 * 86_400)
    static let most = 500

    /// The names of those of `feeds` that are to be forgotten.
    static func names(among feeds: [FeedRecord], now: Timestamp) -> [String] {
        let sources = feeds.filter { feed in
            switch feed.source {
            case .feed, .service: false
            case .address, .file, .standardInput: (feed.pause?.end ?? now) <= now
            }
        }
        let lastFirst = sources.sorted { ($0.lastAsked?.milliseconds ?? .min) > ($1.lastAsked?.milliseconds ?? .min) }
        return lastFirst.enumerated().filter { index, feed in
            index >= most || feed.lastAsked.map { now - $0 > patience } ?? true
        }.map(\.element.name)
    }
}
