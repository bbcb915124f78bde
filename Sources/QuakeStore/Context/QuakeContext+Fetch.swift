/// Every read sees a single state of the cache, whatever others commit meanwhile. While a method calls its body with
/// one quake after another, writes by this context throw ``StoreError/contextState(_:)``; to change quakes, fetch them
/// first. A negative limit or offset, or a batch size below 1, throws ``StoreError/outOfRange(_:value:)``.
extension QuakeContext {
    /// Returns the quakes that the filter accepts, newest first.
    public func fetch(_ filter: QuakeFilter) throws -> [StoredQuake] { try fetch(QuakeDescriptor(filter: filter)) }

    /// Returns the quakes that the descriptor requests.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try visit(descriptor) { quakes.append($0) }
        return quakes
    }

    /// Calls `body` with each quake that the descriptor requests. Only one quake is in memory at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try visit(descriptor, body)
    }

    /// Returns the number of quakes that the filter accepts.
    public func fetchCount(_ filter: QuakeFilter) throws -> Int { try fetchCount(QuakeDescriptor(filter: filter)) }

    /// Returns the number of quakes that the descriptor requests.
    public func fetchCount(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> Int { try count(descriptor) }

    /// Returns the local keys of the quakes that the descriptor requests, in order.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [QuakeKey] {
        var keys: [QuakeKey] = []
        try visitKeys(descriptor) { keys.append($0) }
        return keys
    }

    /// Calls `body` with every row that the descriptor requests, reduced to `fields`, keeping one row at a time in
    /// memory. The descriptor's predicate is ignored.
    package func forEachRow(
        _ descriptor: QuakeDescriptor, fields: [QuakeProperty], _ body: (StoredRow) throws -> Void
    ) throws {
        let layout = RowLayout(fields)
        let columns = layout.columns.isEmpty ? "key" : layout.columns.joined(separator: ", ")
        try inReadOnlySnapshot {
            try forEach(query(descriptor, columns: columns)) { try body(StoredRow(statement: $0, layout: layout)) }
        }
    }

    /// Returns the quake with this local key; nil if it was deleted. The key of a merged quake leads to the surviving
    /// quake.
    public func quake(key: QuakeKey) throws -> StoredQuake? {
        if let quake = try unmergedQuake(forKey: key) { return quake }
        return try snapshot {
            let merge = session.source.overlays.isEmpty ? Database.mergeTargetQuery : PastOverlay.mergeTargetQuery
            return try session.database().survivor(of: key, merge).flatMap { try unmergedQuake(forKey: $0) }
        }
    }

    /// Returns the quake with exactly this key, without following merges.
    package func unmergedQuake(forKey key: QuakeKey) throws -> StoredQuake? {
        try session.database().first(session.source.queryForKey, key) {
            StoredQuake(key: key, quake: $0.quake(from: 0))
        }
    }

    /// Returns the quakes with these keys, in the same order, omitting deleted quakes.
    func quakes(forKeys keys: some Sequence<QuakeKey>) throws -> [StoredQuake] {
        try inReadOnlySnapshot { try keys.compactMap { try unmergedQuake(forKey: $0) } }
    }

    /// Returns the local key of the quake that has or ever had this id, ignoring case, even if the quake was deleted;
    /// nil if there is none. In a past generation, an id that the quake received later also leads to the quake.
    public func key(ofID id: String) throws -> QuakeKey? {
        let key = try session.database().quake(ofAlias: id)
        return try session.source.overlays.isEmpty ? key : session.pastKey(ofID: id, today: key)
    }

    /// Returns every id that leads to the quake with this local key, sorted.
    public func aliases(ofKey key: QuakeKey) throws -> [String] {
        let aliases = try session.database().aliases(ofKey: key)
        return try session.source.overlays.isEmpty ? aliases : session.pastAliases(ofKey: key, today: aliases)
    }

    /// Returns the quake that has or ever had this id; nil if there is none or it was deleted.
    public func quake(id: String) throws -> StoredQuake? {
        try snapshot { try key(ofID: id).flatMap { try quake(key: $0) } }
    }

    // MARK: Lists fetched earlier

    /// Returns the quake with the values that this context reads now; nil if the quake was deleted.
    public func refresh(_ quake: StoredQuake) throws -> StoredQuake? { try unmergedQuake(forKey: quake.key) }

    /// Updates quakes fetched earlier to the values that this context reads now, and removes deleted quakes. The order
    /// stays the same.
    public func refresh(_ quakes: inout [StoredQuake]) throws { quakes = try self.quakes(forKeys: quakes.map(\.key)) }

    /// Fetches `quakes` again if anything changed after `token`, no matter who changed it, or if the token has expired
    /// or is from another cache. For a list that updates itself, see ``QuakeCache/quakes(matching:every:)``.
    ///
    /// - Parameters:
    ///   - token: the ``StoreHistory/currentToken()`` when the quakes were fetched.
    ///   - quakes: the list to update in place.
    ///   - descriptor: the descriptor with which the quakes were fetched.
    /// - Returns: the token for the next call.
    @discardableResult
    public func merge(
        after token: HistoryToken, into quakes: inout [StoredQuake], fetchedBy descriptor: QuakeDescriptor
    ) throws -> HistoryToken {
        try snapshot {
            let head = try history.currentToken()
            if head != token { quakes = try fetch(descriptor) }
            return head
        }
    }

    // MARK: Batches

    /// Returns the quakes that the descriptor requests, in batches of `batchSize`.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int) throws -> QuakeBatches {
        try QuakeBatches(
            batchSize: batchSize, identifiers: { try fetchIdentifiers(descriptor) },
            fetch: { try self.quakes(forKeys: $0) })
    }

    /// Calls `body` with the quakes that the descriptor requests, in batches of `batchSize`.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), batchSize: Int, _ body: ([StoredQuake]) throws -> Void
    ) throws {
        try StoreError.require("batchSize", batchSize, atLeast: 1)
        var batch: [StoredQuake] = []
        try enumerate(descriptor) { stored in
            batch.append(stored)
            guard batch.count >= batchSize else { return }
            let full = batch
            batch.removeAll(keepingCapacity: true)
            try body(full)
        }
        if !batch.isEmpty { try body(batch) }
    }
}
