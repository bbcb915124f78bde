/// The ids of all features of a snapshot, gathered when the first question is asked: most snapshots raise none.
final class ListedIDs: ExpressibleByArrayLiteral {
    private lazy var ids = gather()
    private let gather: () -> Set<String>

    /// The ids that `gather` gives, lower case.
    init(_ gather: @escaping () -> Set<String>) {
        self.gather = gather
    }

    convenience init(arrayLiteral ids: String...) {
        self.init { Set(ids.map { $0.lowercased() }) }
    }

    /// Whether a feature has the id, compared without regard to case.
    func contains(_ id: String) -> Bool {
        ids.contains(id.lowercased())
    }
}
