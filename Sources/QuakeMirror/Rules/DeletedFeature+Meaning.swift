extension DeletedFeature {
    /// The meaning of the feature for a cached quake whose preferred id is among the feature's ids.
    enum Meaning: Equatable {
        /// The quake was deleted.
        case deleted
        /// The event service must decide about the quake, for this reason.
        case inQuestion(String)
    }

    /// Returns the meaning of the feature for `known`. `confirmed` is the time of the newest snapshot that listed this
    /// quake.
    ///
    /// A deleted event may list ids of existing quakes. A quake that was listed after its deletion may have been
    /// restored, and the response may come from a server that does not know this yet.
    func meaning(for known: KnownQuake, confirmedUntil confirmed: Timestamp) -> Meaning {
        guard known.stored.quake.id.isSameID(as: id ?? "") else { return .inQuestion("a deleted event has its id") }
        guard let updated, updated > confirmed else { return .inQuestion("it was listed after its deletion") }
        return .deleted
    }
}
