import CSQLite
import QuakeModel

/// How SQLite is told to open the file.
extension CacheFile {
    /// Opens the file in the way its permissions ask for.
    func connect(
        for access: StoreConfiguration.Access, _ configuration: StoreConfiguration
    ) throws -> (OpaquePointer, isPrivateCopy: Bool) {
        let timeout = Int32(max(0, min(configuration.busyTimeout.wholeMilliseconds, Int64(Int32.max))))
        switch try opening(for: access) {
        case .shared:
            let creating = access == .creating ? SQLITE_OPEN_CREATE : 0
            let keepsLog = keepsLogFiles(for: access)
            return (try open(SQLITE_OPEN_READWRITE | creating, timeout, keepsLog: keepsLog), false)
        case .readOnly:
            do {
                return (try openWithLog(SQLITE_OPEN_READONLY, timeout), false)
            } catch StoreError.cannotOpen, StoreError.readOnly {
                // The log was removed meanwhile, by a program that does not keep it.
                return (try openPrivateCopy(timeout), true)
            }
        case .privateCopy: return (try openPrivateCopy(timeout), true)
        }
    }

    private func openPrivateCopy(_ timeout: Int32) throws -> OpaquePointer {
        try withPrivateCopy { try $0.openWithLog(SQLITE_OPEN_READWRITE, timeout) }
    }

    /// Opens the file with `flags`. Also a context that only reads opens it for writing, where it may: the connection
    /// that closes last moves the log into the file and empties it, which a read-only one cannot (``Database``).
    private func open(_ flags: Int32, _ timeout: Int32, keepsLog: Bool = false) throws -> OpaquePointer {
        var handle: OpaquePointer?
        do {
            let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
            // SQLite hands out a connection also when it cannot open the file, for the sake of the message.
            try StoreError.check(code, on: handle, path: path)
            guard let handle else { throw StoreError.cannotOpen(path: path, reason: "SQLite has no memory") }
            for code in [sqlite3_extended_result_codes(handle, 1), sqlite3_busy_timeout(handle, timeout)] {
                try StoreError.check(code, on: handle, path: path)
            }
            if keepsLog { try keepLogFiles(of: handle) }
            // SQLite reads the log only with the first statement.
            try requireOwnDatabase { fileHeader(of: handle) }
            return handle
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    /// Opens the file and its log before it returns. A copy may be unlinked then, and SQLite keeps the log of a file
    /// that is shared: nobody removes it while another connection is open.
    private func openWithLog(_ flags: Int32, _ timeout: Int32) throws -> OpaquePointer {
        let handle = try open(flags, timeout)
        let code = sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(handle) }
            throw StoreError(code: code, connection: handle, path: path)
        }
        return handle
    }

    /// Lets the log, empty, and its index stay when the last connection closes.
    ///
    /// Need: a user who may read the cache and not write it reads while another commits. Hazard: SQLite agrees on what
    /// may be read through locks on the index, which that user cannot create. Choice: the files stay where the cache's
    /// mode says that there may be such users. Price: two files beside the cache, of 0 and 32 KiB, and who may read
    /// them can also lock them, and so keep the writer waiting.
    private func keepLogFiles(of handle: OpaquePointer) throws {
        var keeps: Int32 = 1
        try StoreError.check(
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps), on: handle, path: path)
        // Without a limit the log would stay as long as it was.
        try StoreError.check(
            sqlite3_exec(handle, "PRAGMA journal_size_limit = 0", nil, nil, nil), on: handle, path: path)
    }

    /// What the file that `handle` has open says of itself, without its log; nil when it is too short.
    private func fileHeader(of handle: OpaquePointer) -> WriteAheadLog.FileHeader? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        var page = [UInt8](repeating: 0, count: WriteAheadLog.FileHeader.size)
        guard read(file, &page, Int32(page.count), 0) == SQLITE_OK else { return nil }
        return WriteAheadLog.FileHeader(page: page)
    }
}
