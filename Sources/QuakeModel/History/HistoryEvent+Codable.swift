/// An event is encoded as a line of `quakes changes --format ndjson` without computed fields, and can be decoded from
/// such a line.
///
/// So that nothing is lost, encoding adds members that the program does not write: to `transaction`, the other members
/// of ``HistoryTransaction``; to `before`, the values that cannot be derived from `changed` and the state after the
/// change. An event decoded from a line of the program lacks these members: the process, host, program and counts of
/// its transaction are empty, the snapshot has only a publication time, and the token of the transaction is usable only
/// if it is also the token of the change. A title or URL of the earlier state is the published text of the later state
/// if the derived text is the same for both states; otherwise, it is the derived text.
///
/// A later version may write words that this version does not know. An unknown reason is decoded as
/// ``ChangeReason/other``, an unknown fault of a token as ``TokenFault/expired``, and an unknown operation as the
/// effect of the change on all quakes. Unknown names of properties are omitted.
///
/// The JSON in ``Quake/extra`` keeps its values, but its numbers and escapes may be written differently, and its
/// members may be reordered.
extension HistoryEvent: Codable {
    /// Decodes an event. Throws `DecodingError` for other values, such as the heartbeats of `quakes changes --follow`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: HistoryEventMember.self)
        switch try members.decode(HistoryEventMember.Kind.self, forKey: .kind) {
        case .dropEverything:
            let fault = TokenFault(rawValue: try members.decode(String.self, forKey: .reason))
            self = .dropEverything(fault ?? .expired)
        case .change:
            self =
                try members.decode(Bool.self, forKey: .resync)
                ? .resync(try ResyncedQuake(from: decoder)) : .change(try RelevantChange(from: decoder))
        case .end: self = .end(try HistoryEnd(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .dropEverything: try record.encodeRecord(to: encoder)
        case .resync(let resynced): try resynced.encode(to: encoder)
        case .change(let relevant): try relevant.encode(to: encoder)
        case .end(let end): try end.encode(to: encoder)
        }
    }
}

/// Encoded like ``HistoryEvent/resync(_:)``.
extension ResyncedQuake: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: HistoryEventMember.self)
        self.init(
            stored: StoredQuake(
                key: try members.decode(QuakeKey.self, forKey: .quake),
                quake: try members.decode(RecordedQuake.self, forKey: .values).quake),
            timeliness: try Timeliness(members))
    }

    public func encode(to encoder: any Encoder) throws { try record.encodeRecord(to: encoder) }
}

/// Encoded like ``HistoryEvent/end(_:)``.
extension HistoryEnd: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: HistoryEventMember.self)
        self.init(
            token: try members.decode(HistoryToken.self, forKey: .token),
            newest: try members.decode(HistoryToken.self, forKey: .head),
            trimmedThrough: try members.decode(TransactionNumber.self, forKey: .purgedThrough),
            hasMore: try members.decode(Bool.self, forKey: .more), count: try members.decode(Int.self, forKey: .count),
            skipped: SkippedChanges(
                count: try members.decode(Int.self, forKey: .skippedCount),
                largest: try members.decodeIfPresent(RecordedQuake.self, forKey: .largestSkipped)?.quake))
    }

    public func encode(to encoder: any Encoder) throws { try record.encodeRecord(to: encoder) }
}

extension Timeliness {
    /// Decodes the timeliness; nil if it is null, missing or unknown.
    init?(_ members: KeyedDecodingContainer<HistoryEventMember>) throws {
        guard let word = try members.decodeIfPresent(String.self, forKey: .timeliness) else { return nil }
        self.init(rawValue: word)
    }
}
