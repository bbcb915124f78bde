/// The names that a cache uses for sources other than feeds, URLs and paths.
package enum SourceName {
    /// The text before the URL in an event service's name.
    package static let servicePrefix = "event service "
    /// The text after the name of an event service, for its deletions.
    package static let deletionsSuffix = " (deletions)"
    package static let standardInput = "standard input"
    /// The name of the record of the last warning about stale data, which concerns no source.
    package static let staleNotice = "warning about stale data"
}
