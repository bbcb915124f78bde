/// The end of the trimmed history.
package struct HistoryFloor: Hashable, Sendable, Codable {
    /// The last trimmed transaction; 0 if nothing was trimmed.
    package var number: TransactionNumber
    /// The fingerprint of the last trimmed transaction.
    package var fingerprint: UInt32
    /// The time of the last trimmed transaction; nil if nothing was trimmed.
    package var time: Timestamp?
    /// The time of the last trim that removed history; nil if nothing was trimmed.
    package var moved: Timestamp?
    /// The author of the last trim that removed history; nil if nothing was trimmed.
    package var author: String?
}
