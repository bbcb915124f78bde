/// The quakes that a document lists, and the cached quakes that it would list if their cached values were still
/// current.
package final class DocumentListing: ExpressibleByArrayLiteral {
    /// The kind of document, which determines what the absence of a quake means.
    package enum Kind {
        /// The event service lists all quakes that meet some conditions. An unlisted quake was deleted or merged.
        case catalog
        /// A feed lists all quakes of its period. An unlisted quake may have been merged, or the server may lag behind.
        case complete
        /// Only quakes that meet a condition are listed. An unlisted quake may have been revised and no longer meet it.
        case partial
        /// Only quakes that have changed are listed, so a quake's absence means nothing.
        case changes
    }

    /// The ids of all features. They are collected only when used, because they are not needed for most documents.
    private lazy var ids = readIDs()
    private let readIDs: () -> Set<String>
    /// Whether the document lists every quake that it should; determined only when used, like ``ids``.
    private lazy var isWhole = readIsWhole()
    private let readIsWhole: () -> Bool
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
        readIsWhole = isWhole
        self.readIDs = gather
    }

    package convenience init(arrayLiteral ids: String...) { self.init { Set(ids.map { $0.lowercased() }) } }

    /// Whether a feature of the document has this preferred id, ignoring case.
    package func contains(_ id: String) -> Bool { ids.contains(id.lowercased()) }

    enum Match {
        case same, undecided, different
    }

    /// Judges whether a feature is `quake`, an unlisted quake to which one of the feature's ids leads.
    ///
    /// - Parameters:
    ///   - own: the quake whose preferred id is the feature's preferred id; nil if there is none.
    ///   - isAloneInNetwork: whether `quake` is the only quake of its network that may be the feature.
    func match(of quake: Quake, linkedTo own: Quake?, isAloneInNetwork: Bool) -> Match {
        if separateIDs.contains(quake.id.lowercased()) { return .different }
        switch kind {
        case .changes: return .undecided
        case .catalog where wouldList(quake) && isWhole: return .same
        case .complete where isAloneInNetwork && wouldList(quake) && isWhole: return .same
        case .catalog, .complete, .partial:
            // If `own` lists the id of `quake`, the cache already knows that `own` and `quake` are two quakes.
            return own?.hasID(quake.id) == true ? .different : .undecided
        }
    }
}
