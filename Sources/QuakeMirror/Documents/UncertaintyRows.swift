/// The uncertainties of the quakes in a GeoJSON document, from the CSV document for the same query.
package struct UncertaintyRows: Sendable {
    /// The rows as quakes, keyed by id in lowercase.
    private var rows: [String: Quake] = [:]
    /// The reasons why rows are unreadable, keyed by id in lowercase.
    private var defects: [String: FeatureDefect] = [:]

    /// Reads the rows of `csv` at `indices`, no two of which have the same id.
    fileprivate init(_ csv: FeedSnapshot, _ indices: [Int]) {
        FeatureDecoder(csv, indices: indices).forEach { index, result in
            guard let id = csv.id(at: index)?.lowercased() else { return }
            switch result {
            case .success(let quake): rows[id] = quake
            case .failure(let defect): defects[id] = defect
            }
        }
    }

    /// Returns `quake` with the uncertainties of its row, if the row describes the same solution; otherwise `quake`
    /// unchanged.
    func completing(_ quake: Quake) -> Quake {
        guard let row = rows[quake.id.lowercased()] else { return quake }
        var quake = quake
        quake.takeUncertainties(from: [row])
        return quake
    }

    /// Returns whether the CSV document lacks the uncertainties of `quake`: it has no row for the quake, or a row with
    /// an earlier solution. An unreadable row is reported separately. A row with a later solution does not count,
    /// because the next update fetches that solution with its uncertainties.
    func lacksUncertainties(of quake: Quake) -> Bool {
        let id = quake.id.lowercased()
        guard let row = rows[id] else { return defects[id] == nil }
        return row.updated < quake.updated && !row.hasSameSolution(as: quake)
    }

    /// Returns the reason why the row with this id is unreadable; nil if it is readable or missing.
    func defect(ofID id: String) -> FeatureDefect? {
        defects[id.lowercased()].map { FeatureDefect("its uncertainties are unreadable (\($0.words))") }
    }
}

extension FeedSnapshot {
    /// Adds the uncertainties from `csv`, the CSV document for the same query. A feature that the cache has already
    /// seen is processed again if its row has changed.
    mutating func addUncertainties(from csv: FeedSnapshot) {
        let rows = csv.rowsByID
        for index in features.indices {
            guard let row = id(at: index).flatMap({ rows[$0.lowercased()] }) else { continue }
            features[index].combineHash(withThatOf: csv.features[row])
        }
        uncertainties = UncertaintyRows(csv, lowercasedIDs().compactMap { rows[$0] })
    }

    /// The positions of the rows, keyed by id in lowercase. Of two rows with the same id, the first counts.
    private var rowsByID: [String: Int] {
        let rows = features.indices.lazy.compactMap { index in id(at: index).map { ($0.lowercased(), index) } }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the features with unreadable uncertainties, except at the positions in `ignored`.
    func unreadableUncertainties(ignoring ignored: Set<Int>) -> [SkippedFeature] {
        guard let uncertainties else { return [] }
        return features.indices.filter { !ignored.contains($0) }.compactMap { index in
            guard let id = id(at: index), let defect = uncertainties.defect(ofID: id) else { return nil }
            return SkippedFeature(position: index + 1, id: id, defect: defect)
        }
    }
}
