import Foundation
import GRDB
import GRDBSQLite
import QuakeModel
import SQLiteSwitches

/// One connection to a cache whose schema has been checked, and the translation of its errors.
///
/// All access is serialized by GRDB's queue; a context owns one connection.
struct Connection {
    let path: String
    let queue: DatabaseQueue
    let isWritable: Bool

    init(path: String, access: StoreConfiguration.Access, configuration: StoreConfiguration) throws {
        self.path = path
        isWritable = access != .reading
        if access == .creating {
            try Connection.makeFolder(for: path)
        } else if !FileManager.default.fileExists(atPath: path) {
            throw StoreError.noCache(path: path)
        }
        queue = try Connection.translatingErrors(path: path) {
            try DatabaseQueue(
                path: path, configuration: Connection.grdbConfiguration(access: access, configuration))
        }
        try translatingErrors {
            try queue.inDatabase { db in
                try Schema.prepare(db, path: path, access: access, now: configuration.now())
                if access != .reading {
                    // Not GRDB's own way to WAL: it makes and drops a table at every opening, also in a file that turns
                    // out to be another program's.
                    try db.execute(sql: "PRAGMA journal_mode = WAL")
                    try db.execute(sql: Connection.waitForDisk)
                }
            }
        }
    }

    /// The default may be NORMAL, under which a power cut may lose the last commits.
    static let waitForDisk = "PRAGMA synchronous = FULL"

    private static func grdbConfiguration(
        access: StoreConfiguration.Access, _ settings: StoreConfiguration
    ) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.readonly = access == .reading
        configuration.busyMode = .timeout(Double(settings.busyTimeout.wholeMilliseconds) / 1000)
        // A pinned context keeps a read transaction open from one call to the next.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            for function in QueryFunctions.all { db.add(function: function) }
            // Those there are refuse what does not come from here (SchemaVersion1.guardTriggers).
            let code = sqlite_switch_triggers_off(db.sqliteConnection)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        return configuration
    }

    private static func makeFolder(for path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StoreError.cannotOpen(path: path, reason: "the folder \(folder) cannot be made")
        }
    }

    /// Runs `body` and turns every error of SQLite into a ``StoreError``.
    func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try Connection.translatingErrors(path: path, body)
    }

    private static func translatingErrors<Result>(path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

extension StoreError {
    /// The store's own case for an error of SQLite.
    init(_ error: DatabaseError, path: String) {
        let code = error.extendedResultCode.rawValue
        let reason = error.message ?? "no reason given"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_IOERR: self = .inputOutput(path: path, code: code, reason: reason)
        case .SQLITE_CORRUPT: self = .corrupt(path: path, reason: reason)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: reason)
        case .SQLITE_NOTADB: self = .notACache(path: path)
        default: self = .statement(path: path, code: code, reason: reason)
        }
    }
}
