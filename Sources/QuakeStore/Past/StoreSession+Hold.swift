extension StoreSession {
    /// Returns the generation at the position that `choice` selects. Opens a connection that keeps the newest state
    /// readable and, for a past state, builds an overlay on it.
    func generation(
        _ choice: (StoreHistory) throws -> HistoryPosition = { HistoryPosition(token: try $0.currentToken()) }
    ) throws -> HeldGeneration {
        try connection.requireSameFile()
        let reader = try Database(cacheAt: path, access: .reading, configuration: configuration, isShared: true)
        guard reader.files?.database == connection.files?.database else { throw StoreError.replaced(path: path) }
        try reader.begin(.reading)
        let history = StoreHistory(
            session: StoreSession(path: path, configuration: configuration, connection: reader, isInSnapshot: true))
        let head = try history.currentToken()
        let place = try choice(history)
        if let fault = try history.fault(of: place.token) {
            throw fault == .expired
                ? StoreError.generationExpired(trimmedThrough: try history.floor().number) : StoreError.token(fault)
        }
        let isPast = place.token.number < head.number || place.publishedState != nil
        if isPast { try PastOverlay.build(for: place, from: history.changes(after: place), in: reader) }
        return HeldGeneration(position: place, overlay: isPast ? PastOverlay.overlay : nil, connection: reader)
    }
}
