import CQuakesSQLite
import Glibc

extension StoreError {
    /// Throws unless `code` reports that a call to SQLite succeeded. Result codes become errors only here.
    @inline(__always)
    static func check(_ code: Int32, on connection: OpaquePointer?, path: String) throws {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            throw StoreError(code: code, connection: connection, path: path)
        }
    }

    init(code: Int32, connection: OpaquePointer?, path: String) {
        let latest = sqlite3_extended_errcode(connection)
        // The connection remembers only its latest error, which may differ from `code`, as after a rejected bind.
        let isLatest = latest & 0xFF == code & 0xFF
        let extended = isLatest ? latest : code
        let reason = String(cString: isLatest ? sqlite3_errmsg(connection) : sqlite3_errstr(code))
        switch code & 0xFF {
        // SQLITE_PROTOCOL: another process took too long to recover the log or to release a lock on its index.
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy(path: path)
        case SQLITE_FULL: self = .diskFull(path: path)
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(path: path)
        // SQLite reports a full disk with several codes, depending on which system call failed.
        case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(sqlite3_system_errno(connection)):
            self = .diskFull(path: path)
        case SQLITE_IOERR: self = .inputOutput(path: path, code: extended, reason: reason)
        case SQLITE_CORRUPT:
            self = CacheFile(path: path).otherFault(through: connection) ?? .corrupt(path: path, reason: reason)
        case SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: reason)
        case SQLITE_NOTADB: self = .notACache(path: path)
        default: self = .statement(path: path, code: extended, reason: reason)
        }
    }
}
