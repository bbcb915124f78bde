/// The end of the trimmed history.
package struct HistoryFloor: Hashable, Sendable, Codable {
    /// The last trimmed transaction; 0 if nothing was trimmed.
    package var number: TransactionNumber
    /// The fingerprint of the last trimmed transaction.
    package var fingerprint: UInt32
    /// The time of the last trimmed transaction.
    package var time: Timestamp?
    /// The time at which the floor last moved.
    package var moved: Timestamp?
    /// The author of the trim that last moved the floor.
    package var author: String?
}
