/// The names of sources that are not feeds, URLs or paths, as recorded in a cache.
package enum SourceName {
    /// The text before the URL in the name of an event service.
    package static let servicePrefix = "event service "
    /// The text after an event service's name in the name of its list of deleted quakes, which is recorded as a
    /// separate source.
    package static let deletionsSuffix = " (deletions)"
    package static let standardInput = "standard input"
    /// The name under which the last stale-data warning is recorded. Unlike the other names, it is not a source.
    package static let staleNotice = "warning about stale data"
}
