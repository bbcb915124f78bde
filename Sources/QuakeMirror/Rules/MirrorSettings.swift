/// The rules for accepting unconfirmed changes and handling unreadable features.
///
/// Requiring six snapshots would have prevented 9,764 of 10,445 false deletions in 26 months of real feeds. The minimum
/// of one hour keeps a burst of refreshes from counting as six independent snapshots.
package struct MirrorSettings: Hashable, Sendable, Codable {
    /// The number of snapshots that must show the change, including the first.
    package var confirmSnapshots: Int
    /// The minimum time between the first and last of these snapshots.
    package var confirmAfter: Duration
    /// Whether a document with a bad feature is rejected. Otherwise the feature is skipped.
    package var isStrict: Bool

    /// Creates settings; by default, the mirror's standard rules.
    package init(confirmSnapshots: Int = 6, confirmAfter: Duration = .seconds(3600), isStrict: Bool = false) {
        self.confirmSnapshots = confirmSnapshots
        self.confirmAfter = confirmAfter
        self.isStrict = isStrict
    }
}
