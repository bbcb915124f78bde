/// Encoded like ``HistoryEvent/change(_:)``. Words that only a later version knows are not errors: see
/// ``HistoryEvent``.
extension RelevantChange: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: HistoryEventMember.self)
        let token = try members.decodeIfPresent(HistoryToken.self, forKey: .token)
        var transaction = try members.decode(HistoryTransaction.self, forKey: .transaction)
        if let token, transaction.storeID.isEmpty {
            transaction.storeID = token.storeID
            if token.number == transaction.number { transaction.fingerprint = token.fingerprint }
        }
        let change = HistoryChange(
            id: try members.decode(ChangeID.self, forKey: .changeID), transaction: transaction.number,
            reason: try members.decode(ChangeReason.self, forKey: .reason),
            quakeKey: try members.decode(QuakeKey.self, forKey: .quake), effect: try HistoryChange.Effect(members))
        self.init(
            change: change,
            operation: Operation(rawValue: try members.decode(String.self, forKey: .op)) ?? change.operation,
            transaction: transaction, timeliness: try Timeliness(members), token: token)
    }

    public func encode(to encoder: any Encoder) throws {
        try record(before: change.differing, transaction.knownRecord).encodeRecord(to: encoder)
    }
}

extension HistoryChange.Effect {
    /// Decodes the effect of a change. For an update, `members` contains the whole state after the update, but only the
    /// differing values of the state before it.
    fileprivate init(_ members: KeyedDecodingContainer<HistoryEventMember>) throws {
        let state = try members.decode(RecordedQuake.self, forKey: .values).quake
        if try members.decodeNil(forKey: .after) {
            self = .delete(
                tombstone: state, mergedInto: try members.decodeIfPresent(QuakeKey.self, forKey: .mergedInto))
        } else if try members.decodeNil(forKey: .before) {
            self = .insert(state)
        } else {
            let changed = try members.decode([String].self, forKey: .changed).compactMap(QuakeProperty.init(rawValue:))
            let old = try members.nestedContainer(keyedBy: QuakeProperty.self, forKey: .before)
            var before = state
            try before.set(changed, from: old)
            before.takePublishedTexts(of: state)
            try before.set(QuakeProperty.stored.filter { !changed.contains($0) }, from: old)
            self = .update(before: before, after: state, changed: changed)
        }
    }
}

extension HistoryChange {
    /// The properties whose values before an update must be written, because these values do not follow from the state
    /// after the update.
    fileprivate var differing: [QuakeProperty] {
        guard case .update(let before, let after, let changed) = effect else { return [] }
        var implied = after
        for property in changed { implied[stored: property] = before[stored: property] }
        implied.takePublishedTexts(of: after)
        return changed
            + QuakeProperty.stored.filter { !changed.contains($0) && implied[stored: $0] != before[stored: $0] }
    }
}

extension Quake {
    /// Copies the published title and URLs from `other`, each only if its derived text is the same for both quakes;
    /// otherwise sets it to nil.
    fileprivate mutating func takePublishedTexts(of other: Quake) {
        publishedTitle = derivedTitle == other.derivedTitle ? other.publishedTitle : nil
        publishedURL = derivedURL == other.derivedURL ? other.publishedURL : nil
        publishedDetail = derivedDetail == other.derivedDetail ? other.publishedDetail : nil
    }
}
