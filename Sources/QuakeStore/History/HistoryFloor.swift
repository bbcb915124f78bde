/// The end of the purged history.
package struct HistoryFloor: Hashable, Sendable, Codable {
    /// The last purged transaction; 0 if nothing was purged.
    package var number: TransactionNumber
    /// The fingerprint of the last purged transaction.
    package var fingerprint: UInt32
    /// The time of the last purged transaction.
    package var time: Timestamp?
    /// The time at which the floor last moved.
    package var moved: Timestamp?
    /// The author of the purge that last moved the floor.
    package var author: String?
}
