import QuakeModel

/// What a restored state takes over from the state that it replaces.
///
/// What was given out since the backup (tokens, keys, numbers, ids of changes) must not come to mean something else. So
/// the consumers of the present stay, with their tokens, of which a later one leads to a resync, as does one of another
/// cache; all sequences continue after the higher of both states, which leaves a gap. Where the present is not known,
/// every consumer of the backup gets a token that leads to a resync. The number of a consumer is the last transaction
/// of the restored history that it has certainly read: a command that cannot resync continues from there.
struct Succession {
    /// Tables that number their rows, and never use a number again.
    private static let numbered = ["quakes", "changes", "transactions"]

    private var present: QuakeContext?
    private var storeID: String?
    private var sequences: [String: Int64] = [:]
    private var consumers: [HistoryConsumer]?

    /// From nothing: there was no cache.
    init() {}

    /// From `present`, as far as damage lets it be read.
    init(of present: QuakeContext) {
        self.present = present
        storeID = try? present.history.storeID()
        consumers = try? present.history.consumers()
        for table in Succession.numbered { sequences[table] = try? present.connection.lastNumber(of: table) }
    }

    /// Writes it into the restored state.
    func apply(to restored: QuakeContext) throws {
        let database = restored.connection
        for table in Succession.numbered {
            let last = max(try database.lastNumber(of: table), sequences[table] ?? 0)
            try database.setLastNumber(of: table, to: last)
        }
        let head = try restored.history.head()
        let lost = HistoryToken(
            storeID: head.storeID, number: TransactionNumber(try database.lastNumber(of: "transactions")),
            fingerprint: head.fingerprint &+ .random(in: 1 ... .max))
        let heirs = try heirs(in: restored, lost: lost)
        try database.run("DELETE FROM consumers")
        for heir in heirs { try heir.write(to: database) }
    }

    /// The consumers of the restored state.
    ///
    /// - Parameter lost: a token that the restored history cannot follow.
    private func heirs(in restored: QuakeContext, lost: HistoryToken) throws -> [HistoryConsumer] {
        let (history, floor) = (restored.history, try restored.history.floor().number)
        let isSame = consumers != nil && storeID == lost.storeID
        var heirs: [String: HistoryConsumer] = [:]
        for consumer in isSame ? [] : try history.consumers() {
            var heir = consumer
            (heir.tokenText, heir.lastChange) = (lost.description, nil)
            heir.number = max(consumer.number, floor)
            heirs[consumer.name] = heir
        }
        for consumer in consumers ?? [] {
            var heir = consumer
            if consumer.token == nil { (heir.tokenText, heir.lastChange) = (lost.description, nil) }
            heir.number = floor
            if let token = consumer.token, try history.fault(of: token) == nil {
                heir.number = token.number
            } else if isSame {
                heir.number = (try? lastRead(by: consumer, in: restored)) ?? floor
            }
            heirs[consumer.name] = heir
        }
        return Array(heirs.values)
    }

    /// The last transaction of the restored history that the present one has too, up to where `consumer` has read; the
    /// floor where it cannot be known.
    private func lastRead(by consumer: HistoryConsumer, in restored: QuakeContext) throws -> TransactionNumber {
        let floor = try restored.history.floor().number
        var number = min(consumer.number, try restored.history.head().number)
        while let present, number > floor {
            let token = try restored.history.token(afterTransaction: number)
            // What the present one has purged, its consumers have read or given up.
            if [nil, .expired].contains(try present.history.fault(of: token)) { return token.number }
            number = token.number.previous
        }
        return floor
    }
}

extension Database {
    fileprivate func setLastNumber(of table: String, to number: Int64) throws {
        try run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, number)
    }
}
