extension StoreMaintenance {
    /// Checks the whole cache without changing it. Memory use does not depend on the cache's size.
    ///
    /// - Parameters:
    ///   - full: whether to also compare every index with its table, which takes several times as long.
    ///   - findingsPerCheck: the maximum number of findings to keep per check.
    /// - Throws: ``StoreError/contextState(_:)`` in a pinned context, and errors that prevent the file from being read
    ///   at all. Damage is a finding, not an error.
    public func verify(full: Bool = false, findingsPerCheck: Int = 20) throws -> VerificationReport {
        guard !context.isPinned else { throw StoreError.contextState("a verification of a pinned cache") }
        try StoreError.require("findingsPerCheck", findingsPerCheck, atLeast: 0)
        let log = FindingLog(limit: findingsPerCheck)
        // Roll back, because SQLite refuses to commit even a read transaction that encountered a damaged page.
        try context.session.inTransaction(.reading, keep: { _ in false }) {
            try CacheChecks(session: context.session, database: context.session.database(), log: log).run(full: full)
        }
        // If the write-ahead log contains no transaction, the apparent damage may come from the index of another file's
        // log.
        let file = CacheFile(path: context.cache.path)
        if log.result.findings.contains(where: { $0.check == .file }),
            WriteAheadLog(ofDatabaseAt: file.location) == nil,
            let fault = file.otherFault(through: context.session.connection.handle)
        {
            throw fault
        }
        return log.result
    }
}
