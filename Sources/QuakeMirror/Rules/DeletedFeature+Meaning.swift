extension DeletedFeature {
    /// The meaning of the feature for a quake whose preferred id is among its ids.
    enum Meaning: Equatable {
        case deleted
        case inQuestion(String)
    }

    /// Returns the meaning of the feature for `known`, which a snapshot of the time `confirmed` listed last.
    ///
    /// A deleted event may list ids of existing quakes. A quake that was listed after its deletion may have been
    /// restored, and the response may come from a server that lags.
    func meaning(for known: KnownQuake, confirmedUntil confirmed: Timestamp) -> Meaning {
        guard known.stored.quake.id.isSameID(as: id ?? "") else { return .inQuestion("a deleted event has its id") }
        guard let updated, updated > confirmed else { return .inQuestion("it was listed after its deletion") }
        return .deleted
    }
}
