/// The source of a row's values: the feature's hash, and the source time (``FeedRecord/sourceTime``) of the newest
/// document that decided the values.
package struct RowSource: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 if unknown.
    package var hash: Int64
    /// The source time of the newest document that decided the values, as epoch milliseconds; 0 if none did.
    package var sourceTime: Int64

    package init(hash: Int64 = 0, sourceTime: Int64 = 0) {
        self.hash = hash
        self.sourceTime = sourceTime
    }
}
