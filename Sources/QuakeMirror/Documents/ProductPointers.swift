/// Pointers: products such as `trump-origin` that have no values of their own, but name another product that USGS
/// prefers from then on.
///
/// The named product is read as if it had been published again at that moment, with the weight that USGS gives such
/// products. If the pointer is deleted or names a different product, the formerly named product is read as published
/// again with its own weight.
struct ProductPointers {
    /// The source and code of a product.
    struct Name: Hashable {
        var source: String
        var code: String
    }

    private struct Change {
        var moment: Timestamp
        var pointer: Name
        /// The product that the pointer names from this moment; nil if the pointer was deleted.
        var target: Name?
    }

    private var changes: [Change] = []

    /// Adds a version of a pointer.
    ///
    /// - Parameter target: the product that the version names; nil if the version deletes the pointer.
    mutating func add(_ version: SolutionVersion, naming target: Name?) {
        changes.append(Change(moment: version.published, pointer: version.pointerName, target: target))
    }

    /// Whether `version` belongs to a product that was ever a pointer.
    func contains(_ version: SolutionVersion) -> Bool { changes.contains { $0.pointer == version.pointerName } }

    /// Returns `versions`, all of one product type, with the repetitions and weights that follow from the pointers.
    func applied(to versions: [SolutionVersion]) -> [SolutionVersion] {
        guard !changes.isEmpty else { return versions }
        var rest = changes.sorted { $0.moment < $1.moment }[...]
        var standing: [Name: Name] = [:]
        var newest: [Name: SolutionVersion] = [:]
        var result: [SolutionVersion] = []

        /// Adds `version`, with a greater weight if a pointer names its product.
        func add(_ version: SolutionVersion) {
            var version = version
            if standing.values.contains(version.pointerName) {
                version.weight = max(version.weight, SolutionVersion.weightOfNamedProduct)
            }
            result.append(version)
        }
        /// Applies the remaining changes of pointers before `moment`; all of them if `moment` is nil.
        func move(to moment: Timestamp?) {
            while let change = rest.first, moment.map({ change.moment < $0 }) ?? true {
                rest.removeFirst()
                let former = standing[change.pointer]
                guard former != change.target else { continue }
                standing[change.pointer] = change.target
                for name in [former, change.target].compactMap(\.self) {
                    guard var version = newest[name], version.values != nil else { continue }
                    version.published = change.moment
                    add(version)
                }
            }
        }

        for version in versions.sorted(by: { $0.published < $1.published }) {
            move(to: version.published)
            newest[version.pointerName] = version
            add(version)
        }
        move(to: nil)
        return result
    }
}

extension SolutionVersion {
    fileprivate var pointerName: ProductPointers.Name { ProductPointers.Name(source: source, code: code) }
}
