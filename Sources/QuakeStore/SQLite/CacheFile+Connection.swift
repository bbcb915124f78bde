import CQuakesSQLite

/// How SQLite opens the file.
extension CacheFile {
    /// Opens the file as its permissions allow. Even a context that only reads opens it for writing, where it
    /// may: the connection that closes last moves the log into the file and empties it (``Database``).
    ///
    /// - Throws: ``StoreError/noLog(path:)`` where a user who may not write would have to create the log.
    func connect(
        for access: StoreConfiguration.Access, _ configuration: StoreConfiguration, isShared: Bool = false
    ) throws -> OpaquePointer {
        let opening = try opening(for: access)
        let (name, flags) =
            switch opening {
            case .shared: (plainName, SQLITE_OPEN_READWRITE | (access == .creating ? SQLITE_OPEN_CREATE : 0))
            case .readOnly: (plainName, SQLITE_OPEN_READONLY)
            case .immutable: (immutableName, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        let timeout = Int32(max(0, min(configuration.busyTimeout.wholeMilliseconds, Int64(Int32.max))))
        var handle: OpaquePointer?
        do {
            let code = sqlite3_open_v2(
                name, &handle, flags | (isShared ? SQLITE_OPEN_FULLMUTEX : SQLITE_OPEN_NOMUTEX), nil)
            // SQLite hands out a connection even when it cannot open the file, for the sake of the message.
            try StoreError.check(code, on: handle, path: path)
            guard let handle else { throw StoreError.cannotOpen(path: path, reason: "SQLite has no memory") }
            for code in [sqlite3_extended_result_codes(handle, 1), sqlite3_busy_timeout(handle, timeout)] {
                try StoreError.check(code, on: handle, path: path)
            }
            // SQLite reads the log only with the first statement.
            try requireOwnDatabase { fileHeader(of: handle) }
            if opening == .shared, keepsLogFiles { try keepLogFiles(of: handle) }
            if opening == .readOnly, !logIsReadable, fileHeader(of: handle)?.usesLog == true {
                throw StoreError.noLog(path: path)
            }
            return handle
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
    }

    /// The file as a URI that tells SQLite to expect no writer.
    var immutableName: String {
        let path = location.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(path)?immutable=1"
    }

    /// Lets the log, empty, and its index stay when the last connection closes: a user who may read the cache but not
    /// write it takes locks on the index, which such a user cannot create. Whoever may read the files can also lock
    /// them, and so keep the writer waiting.
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
