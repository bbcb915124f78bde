/// A transaction is encoded as in `quakes history --format json`. Decoding requires only the number, time and author;
/// any other missing value becomes 0, empty or nil.
extension HistoryTransaction: Codable {
    private enum Member: String, CodingKey {
        case number, time, author, host, program, store, token, url, published, etag, features
        case purpose = "context"
        case processID = "pid"
        case inserted, updated, deleted, undoes
    }

    /// The members that the record of a change contains.
    var shortRecord: Record {
        record([
            .number: number, .time: time, .author: author, .purpose: purpose, .published: provenance?.generated,
        ])
    }

    /// All members except ``undoes``.
    package var record: Record {
        record([
            .number: number, .time: time, .author: author, .purpose: purpose, .processID: processID, .host: host,
            .program: program, .store: storeID, .token: token.description, .url: provenance?.url,
            .published: provenance?.generated, .etag: provenance?.etag, .features: provenance?.featureCount,
            .inserted: counts.inserted, .updated: counts.updated, .deleted: counts.deleted,
        ])
    }

    /// All members, including ``undoes``. A transaction decoded from the record of a change, recognizable by its
    /// process id of 0, has only the members of ``shortRecord``.
    var knownRecord: Record {
        guard processID != 0 else { return shortRecord }
        return undoes.map { record + [Member.undoes.rawValue: $0] } ?? record
    }

    private func record(_ members: KeyValuePairs<Member, (any RecordValue)?>) -> Record {
        Record(members.map { ($0.rawValue, $1) })
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let token = try members.decodeIfPresent(HistoryToken.self, forKey: .token)
        let provenance = Provenance(
            url: try members.decodeIfPresent(String.self, forKey: .url),
            generated: try members.momentIfPresent(.published),
            etag: try members.decodeIfPresent(String.self, forKey: .etag),
            featureCount: try members.decodeIfPresent(Int.self, forKey: .features))
        self.init(
            storeID: token?.storeID ?? "", number: try members.decode(TransactionNumber.self, forKey: .number),
            time: try members.moment(.time), fingerprint: token?.fingerprint ?? 0,
            author: try members.decode(String.self, forKey: .author),
            purpose: try members.decodeIfPresent(String.self, forKey: .purpose),
            processID: try members.decodeIfPresent(Int64.self, forKey: .processID) ?? 0,
            host: try members.decodeIfPresent(String.self, forKey: .host) ?? "",
            program: try members.decodeIfPresent(String.self, forKey: .program) ?? "",
            provenance: provenance == Provenance() ? nil : provenance,
            undoes: try members.decodeIfPresent(TransactionNumber.self, forKey: .undoes))
        counts = Counts(
            inserted: try members.decodeIfPresent(Int.self, forKey: .inserted) ?? 0,
            updated: try members.decodeIfPresent(Int.self, forKey: .updated) ?? 0,
            deleted: try members.decodeIfPresent(Int.self, forKey: .deleted) ?? 0)
    }

    public func encode(to encoder: any Encoder) throws { try knownRecord.encodeRecord(to: encoder) }
}
