/// The source of a row's values: the feature's hash, and the `generated` time of the last snapshot to confirm them.
package struct RowSource: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 if unknown.
    package var hash: Int64
    /// The `generated` time of the newest snapshot that decided the values, as epoch milliseconds; 0 if none did.
    package var generated: Int64

    package init(hash: Int64 = 0, generated: Int64 = 0) {
        self.hash = hash
        self.generated = generated
    }
}
