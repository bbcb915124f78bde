/// The members of a ``HistoryEvent`` in JSON.
enum HistoryEventMember: String, CodingKey {
    case kind, token, op, reason, resync, timeliness, quake, id, ids, changed, before, after, transaction, values
    case changeID = "change_id"
    case mergedInto = "merged_into"
    case head, more, count
    case purgedThrough = "purged_through"
    case skippedCount = "skipped_count"
    case largestSkipped = "largest_skipped"

    /// The value of ``kind``.
    enum Kind: String, Codable {
        case dropEverything = "drop-everything"
        case change, end
    }

    /// Returns a record with `members`, in their order.
    static func record(_ members: KeyValuePairs<HistoryEventMember, (any RecordValue)?>) -> Record {
        Record(members.map { ($0.rawValue, $1) })
    }
}
