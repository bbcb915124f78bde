extension QuakeWriter {
    /// Settles the ids in question that are the preferred ids of quakes in `snapshot`, unless an id is in question
    /// because of a newer document.
    ///
    /// - Parameters:
    ///   - ignored: the positions of features that describe deleted quakes.
    ///   - skipped: the unreadable features.
    ///   - time: the time of the document according to its source.
    func settleIDs(
        listedIn snapshot: FeedSnapshot, ignoring ignored: Set<Int> = [], skipped: [SkippedFeature], at time: Timestamp
    ) throws {
        let open = try idsInQuestion().filter { $0.raised <= time }
        guard !open.isEmpty else { return }
        let unread = skipped.filter { !$0.isRepeated }.compactMap { $0.id?.lowercased() }
        let listed = snapshot.lowercasedIDs(ignoring: ignored).subtracting(unread)
        let view = WriterView(writer: self, sourceTime: time)
        let answered = try open.map(\.id).filter { id in
            try listed.contains(id.lowercased()) && view.quake(withOwnID: id) != nil
        }
        try dropIDsInQuestion(answered)
    }
}
