/// The names that a cache uses for sources other than feeds, addresses and paths.
package enum SourceName {
    /// The text before the address in an event service's name.
    package static let servicePrefix = "event service "
    /// The text after the name of an event service, for its deletions.
    package static let deletionsSuffix = " (deletions)"
    package static let standardInput = "standard input"
    /// The record of the last warning that the data is stale, which is about no source.
    package static let staleNotice = "warning about stale data"
}
