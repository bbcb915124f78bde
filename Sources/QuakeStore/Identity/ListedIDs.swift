/// The ids of all features of a snapshot, gathered at the first question: most snapshots raise none.
package final class ListedIDs: ExpressibleByArrayLiteral {
    private lazy var ids = gather()
    private let gather: () -> Set<String>

    /// Creates the ids that `gather` gives, in lower case.
    package init(_ gather: @escaping () -> Set<String>) { self.gather = gather }

    package convenience init(arrayLiteral ids: String...) { self.init { Set(ids.map { $0.lowercased() }) } }

    /// Whether a feature has the id, compared ignoring case.
    package func contains(_ id: String) -> Bool { ids.contains(id.lowercased()) }
}
