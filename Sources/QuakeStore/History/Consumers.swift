import GRDB
public import QuakeModel

/// A reader of the history that the cache remembers.
public struct HistoryConsumer: Hashable, Sendable {
    /// What the reader calls itself.
    public var name: String
    /// What it got last, printed.
    public var token: String
    /// The last transaction it has read.
    public var number: Int64
    /// When it last said so.
    public var seen: Timestamp

    /// A consumer not seen for this long no longer keeps history from being purged.
    public static let lapse = Duration.seconds(30 * 86_400)

    /// Whether it still counts at `now`.
    public func isLive(at now: Timestamp) -> Bool { now - seen <= HistoryConsumer.lapse }
}

extension QuakeContext {
    /// Everyone who reads the history, by name.
    public func consumers() throws -> [HistoryConsumer] {
        try database { db in
            let statement = try SQLStatement(db, "SELECT name, token, number, seen FROM consumers ORDER BY name")
            defer { statement.reset() }
            var consumers: [HistoryConsumer] = []
            while try statement.step() {
                consumers.append(
                    HistoryConsumer(
                        name: statement.text(0), token: statement.text(1), number: statement.integer(2),
                        seen: Timestamp(milliseconds: statement.integer(3))))
            }
            return consumers
        }
    }

    /// The consumer of that name; nil when it has read nothing yet.
    public func consumer(named name: String) throws -> HistoryConsumer? {
        try consumers().first { $0.name == name }
    }

    /// Remembers `token` as what the consumer has read. The number kept for protection is never beyond the head.
    public func acknowledge(_ token: HistoryToken, for name: String) throws {
        try inTransaction(begin: "BEGIN IMMEDIATE", keep: { _ in true }) {
            let number = try fault(of: token) == nil ? token.number : floor().number
            try database { db in
                try db.execute(
                    sql: """
                        INSERT INTO consumers (name, token, number, seen) VALUES (?1, ?2, ?3, ?4)
                        ON CONFLICT (name) DO UPDATE SET token = ?2, number = ?3, seen = ?4
                        """,
                    arguments: [name, token.description, number, store.configuration.now().milliseconds])
            }
        }
    }

    /// Forgets the consumer of that name. False when there was none.
    @discardableResult
    public func forgetConsumer(named name: String) throws -> Bool {
        try inTransaction(begin: "BEGIN IMMEDIATE", keep: { _ in true }) {
            try database { db in
                try db.execute(sql: "DELETE FROM consumers WHERE name = ?", arguments: [name])
                return db.changesCount > 0
            }
        }
    }
}
