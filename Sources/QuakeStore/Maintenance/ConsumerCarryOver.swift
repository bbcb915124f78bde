/// The data that a restored state takes over from the state it replaces.
///
/// Tokens, keys, transaction numbers and change ids issued since the backup must not acquire a new meaning. So the
/// numbering continues after the higher of the two states' numbers, which leaves a gap.
///
/// The current consumers keep their tokens; a token that is newer than the backup, or from another cache, leads to a
/// resync. If the current consumers are unreadable or from another cache, every consumer of the backup gets a token
/// that leads to a resync.
///
/// A consumer's number is the last transaction of the restored history that the consumer has certainly read. If the
/// consumer is from another cache, the number is the last transaction of the backup. Commands that support no resync
/// continue after that transaction.
///
/// With `restoresConsumers`, as when the cache moves to another host, the backup's consumers keep their positions.
struct ConsumerCarryOver {
    /// The state being replaced, which damage may make unreadable; nil if there was no cache.
    let present: QuakeContext?
    let restored: QuakeContext
    let restoresConsumers: Bool

    /// Writes the carried-over values to the restored state, and returns its newest token.
    func apply() throws -> HistoryToken {
        let database = restored.session.connection
        for table in ["quakes", "changes", "transactions"] {
            try database.raiseLastNumber(of: table, to: (try? present?.session.connection.lastNumber(of: table)) ?? 0)
        }
        let head = try restored.history.currentToken()
        let carriedConsumers = try carriedConsumers(of: head)
        try database.run("DELETE FROM consumers")
        for carried in carriedConsumers { try carried.write(to: database) }
        return head
    }

    /// Returns the consumers for the restored state.
    private func carriedConsumers(of head: HistoryToken) throws -> [HistoryConsumer] {
        let consumers = try? present?.history.consumers()
        let isSame = consumers != nil && (try? present?.history.storeID()) == head.storeID
        // No history contains this token, so it leads to a resync.
        let lost = HistoryToken(
            storeID: head.storeID,
            number: TransactionNumber(try restored.session.connection.lastNumber(of: "transactions")),
            fingerprint: head.fingerprint &+ .random(in: 1 ... .max))
        let floor = try restored.history.floor().number
        let shared = isSame ? (try? lastShared(before: head, after: floor)) ?? floor : head.number
        var carriedConsumers: [String: HistoryConsumer] = [:]
        for consumer in isSame ? [] : try restored.history.consumers() {
            carriedConsumers[consumer.name] = consumer.with(lost)
        }
        for consumer in consumers ?? [] {
            var carried = consumer.token == nil ? consumer.with(lost) : consumer
            if let token = consumer.token, try restored.history.fault(of: token) == nil {
                carried.number = token.number
            } else if carriedConsumers[consumer.name] != nil {
                continue
            } else {
                carried.number = isSame ? min(consumer.number, shared) : shared
            }
            carriedConsumers[consumer.name] = carried
        }
        for consumer in restoresConsumers ? try restored.history.consumers() : [] {
            carriedConsumers[consumer.name] = consumer
        }
        return Array(carriedConsumers.values)
    }

    /// Returns the last transaction that is in the current history as well as in the restored one, which ends at
    /// `head`; nil if there is none after `floor`.
    private func lastShared(before head: HistoryToken, after floor: TransactionNumber) throws -> TransactionNumber? {
        var token = head
        while let present, token.number > floor {
            // An expired token counts, too: the current consumers have read or skipped the trimmed transactions.
            if [nil, .expired].contains(try present.history.fault(of: token)) { return token.number }
            token = try restored.history.token(afterTransaction: token.number.previous)
        }
        return nil
    }
}

extension HistoryConsumer {
    fileprivate func with(_ token: HistoryToken) -> HistoryConsumer {
        var consumer = self
        consumer.tokenText = token.description
        consumer.lastChange = nil
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
