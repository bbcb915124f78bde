import CQuakesSQLite

/// How SQLite opens the file.
extension CacheFile {
    /// Opens the file as its permissions allow. Even a context that only reads opens it for writing if permitted,
    /// because the last connection to close moves the log's contents into the file and empties the log (``Database``).
    ///
    /// - Throws: ``StoreError/noLog(path:)`` if a user without write access would have to create the log or its index.
    func connect(
        for access: StoreConfiguration.Access, _ configuration: StoreConfiguration, isShared: Bool = false
    ) throws -> OpaquePointer {
        let opening = try opening(for: access)
        if access == .creating { create() }
        let (name, flags) =
            switch opening {
            case .shared: (path, SQLITE_OPEN_READWRITE | (access == .creating ? SQLITE_OPEN_CREATE : 0))
            case .readOnly: (path, SQLITE_OPEN_READONLY)
            case .immutable: (immutableName, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        let timeout = Int32(min(configuration.busyTimeout.wholeMilliseconds, Int64(Int32.max)))
        var handle: OpaquePointer?
        do {
            let code = sqlite3_open_v2(
                name, &handle, flags | (isShared ? SQLITE_OPEN_FULLMUTEX : SQLITE_OPEN_NOMUTEX), nil)
            // SQLite returns a connection even if it cannot open the file, so that the error message can be read.
            try StoreError.check(code, on: handle, path: path)
            guard let handle else { throw StoreError.cannotOpen(path: path, reason: "SQLite is out of memory") }
            for code in [sqlite3_extended_result_codes(handle, 1), sqlite3_busy_timeout(handle, timeout)] {
                try StoreError.check(code, on: handle, path: path)
            }
            // SQLite does not read the log before the first statement.
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

    /// The file's URI, with the option that tells SQLite that nobody writes to the file.
    var immutableName: String {
        let path = location.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(path)?immutable=1"
    }

    /// Makes SQLite keep the log, emptied, and its index when the last connection closes. Users who may read the cache
    /// but not write to it cannot create the index, which they must lock. Anyone who may read the files can also lock
    /// them and thus delay the writer.
    private func keepLogFiles(of handle: OpaquePointer) throws {
        var keeps: Int32 = 1
        try StoreError.check(
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps), on: handle, path: path)
        // Without a limit the log would keep its size.
        try StoreError.check(
            sqlite3_exec(handle, "PRAGMA journal_size_limit = 0", nil, nil, nil), on: handle, path: path)
    }

    /// Returns the header of the file that `handle` has open, ignoring its log; nil if the file is too short.
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
