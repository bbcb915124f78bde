/// What a restored state takes over from the state that it replaces.
///
/// What was given out since the backup (tokens, keys, numbers, ids of changes) must not come to mean something else. So
/// the consumers of the present stay, with their tokens, of which a later one leads to a resync, as does one of another
/// cache; all sequences continue after the higher of both states, which leaves a gap. Where the present is not known,
/// every consumer of the backup gets a token that leads to a resync. The number of a consumer is the last transaction
/// of the restored history that it has certainly read: a command that cannot resync continues from there.
///
/// Where the programs come along with the backup, such as to another host, its consumers keep the places that it has.
struct ConsumerCarryOver {
    /// The state that is replaced, which damage may keep from being read; nil if there was no cache.
    private let present: QuakeContext?
    private let restored: QuakeContext
    private let takesConsumers: Bool

    init(replacing present: QuakeContext?, by restored: QuakeContext, takesConsumers: Bool) {
        (self.present, self.restored, self.takesConsumers) = (present, restored, takesConsumers)
    }

    /// Writes it into the restored state, and returns the newest token of that.
    func apply() throws -> HistoryToken {
        let database = restored.connection
        for table in ["quakes", "changes", "transactions"] {
            try database.raiseLastNumber(of: table, to: (try? present?.connection.lastNumber(of: table)) ?? 0)
        }
        let head = try restored.history.head()
        let carriedConsumers = try carriedConsumers(of: head)
        try database.run("DELETE FROM consumers")
        for carried in carriedConsumers { try carried.write(to: database) }
        return head
    }

    /// The consumers of the restored state.
    private func carriedConsumers(of head: HistoryToken) throws -> [HistoryConsumer] {
        let consumers = try? present?.history.consumers()
        let isSame = consumers != nil && (try? present?.history.storeID()) == head.storeID
        // No history can follow this token.
        let lost = HistoryToken(
            storeID: head.storeID, number: TransactionNumber(try restored.connection.lastNumber(of: "transactions")),
            fingerprint: head.fingerprint &+ .random(in: 1 ... .max))
        let floor = try restored.history.floor().number
        let shared = isSame ? (try? lastShared(before: head, after: floor)) ?? floor : floor
        var carriedConsumers: [String: HistoryConsumer] = [:]
        for consumer in isSame ? [] : try restored.history.consumers() {
            carriedConsumers[consumer.name] = consumer.with(lost)
        }
        for consumer in consumers ?? [] {
            var carried = consumer.token == nil ? consumer.with(lost) : consumer
            if let token = consumer.token, try restored.history.fault(of: token) == nil {
                carried.number = token.number
            } else {
                carried.number = min(consumer.number, shared)
            }
            carriedConsumers[consumer.name] = carried
        }
        for consumer in takesConsumers ? try restored.history.consumers() : [] { carriedConsumers[consumer.name] = consumer }
        return Array(carriedConsumers.values)
    }

    /// The last transaction of the restored history, up to `head`, that the present one has too; `floor` if none.
    private func lastShared(before head: HistoryToken, after floor: TransactionNumber) throws -> TransactionNumber? {
        var token = head
        while let present, token.number > floor {
            // What the present one has purged, its consumers have read or given up.
            if [nil, .expired].contains(try present.history.fault(of: token)) { return token.number }
            token = try restored.history.token(afterTransaction: token.number.previous)
        }
        return nil
    }
}

extension HistoryConsumer {
    fileprivate func with(_ token: HistoryToken) -> HistoryConsumer {
        var consumer = self
        (consumer.tokenText, consumer.lastChange) = (token.description, nil)
        return consumer
    }
}

extension Database {
    fileprivate func raiseLastNumber(of table: String, to number: Int64) throws {
        let last = max(try lastNumber(of: table), number)
        try run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, last)
    }
}
