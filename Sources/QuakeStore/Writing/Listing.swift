/// The quakes that a document lists, and those that it would list if they had their cached values.
package final class Listing: ExpressibleByArrayLiteral {
    /// The meaning of a quake's absence.
    package enum Kind {
        /// The event service lists all quakes that meet some conditions. One that is not listed is gone or merged.
        case catalog
        /// A feed lists all quakes of its period. One that is not listed may have been merged, or a server lags.
        case complete
        /// Only quakes that meet a condition are listed, so one that is not listed may have been revised.
        case partial
        /// Only quakes that have changed are listed, so a quake's absence means nothing.
        case changes
    }

    /// The ids of all features. They are collected only when needed, because most documents do not need them.
    private lazy var ids = gather()
    private let gather: () -> Set<String>
    /// Whether the document lists every quake that it should. It is determined only when needed, like ``ids``.
    private lazy var isWhole = determineWhole()
    private let determineWhole: () -> Bool
    private let kind: Kind
    private let wouldList: (Quake) -> Bool
    private let separateIDs: Set<String>

    /// - Parameters:
    ///   - separateIDs: the lowercase ids of quakes that are known to be separate from every other feature.
    ///   - wouldList: returns whether the document, if it is whole, would list a quake with these values.
    ///   - isWhole: returns whether the document has all of its features.
    ///   - gather: returns the lowercase ids of all features.
    package init(
        _ kind: Kind = .complete, separateIDs: Set<String> = [],
        wouldList: @escaping (Quake) -> Bool = { _ in true }, isWhole: @escaping () -> Bool = { true },
        _ gather: @escaping () -> Set<String>
    ) {
        self.kind = kind
        self.separateIDs = separateIDs
        self.wouldList = wouldList
        determineWhole = isWhole
        self.gather = gather
    }

    package convenience init(arrayLiteral ids: String...) { self.init { Set(ids.map { $0.lowercased() }) } }

    /// Whether a feature has the id; case is ignored.
    package func contains(_ id: String) -> Bool { ids.contains(id.lowercased()) }

    enum Match {
        case same, undecided, different
    }

    /// Judges whether a feature is `quake`, an unlisted quake to which one of the feature's ids leads.
    ///
    /// - Parameters:
    ///   - own: the quake that has the feature's own id.
    ///   - isAloneInNetwork: whether none of the other quakes that the feature may be is of the quake's network.
    func match(of quake: Quake, linkedTo own: Quake?, isAloneInNetwork: Bool) -> Match {
        if separateIDs.contains(quake.id.lowercased()) { return .different }
        switch kind {
        case .changes: return .undecided
        case .catalog where wouldList(quake) && isWhole: return .same
        case .complete where isAloneInNetwork && wouldList(quake) && isWhole: return .same
        case .catalog, .complete, .partial:
            // The cache already knows both as two quakes, although one lists the other's id.
            return own?.has(quake.id) == true ? .different : .undecided
        }
    }
}
