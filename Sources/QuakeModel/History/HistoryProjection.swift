extension HistoryDescriptor {
    /// ``fields`` with the properties that they are derived from; empty for all.
    package var deliveredFields: Set<QuakeProperty> {
        var delivered = fields
        if !fields.isDisjoint(with: [.id, .url, .detail]) { delivered.formUnion([.net, .code]) }
        if fields.contains(.title) { delivered.formUnion([.mag, .place]) }
        return delivered
    }
}

/// Leaving out what a reader did not ask for: ``HistoryDescriptor/fields``.
extension Quake {
    /// Removes every property that is not among `fields` and that a quake need not have. No fields mean all.
    package mutating func keepOnly(_ fields: Set<QuakeProperty>) {
        guard !fields.isEmpty else { return }
        for property in QuakeProperty.allCases where !fields.contains(property) {
            switch property {
            case .net, .code, .time, .updated, .lon, .lat: break
            case .ids, .sources, .types: set(property, to: .text(""))
            default: set(property, to: .null)
            }
        }
        if !fields.contains(.title) { publishedTitle = nil }
        if !fields.contains(.url) { publishedURL = nil }
        if !fields.contains(.detail) { publishedDetail = nil }
    }
}

extension HistoryChange {
    /// This change with those properties alone; no fields mean all.
    package func keepingOnly(_ fields: Set<QuakeProperty>) -> HistoryChange {
        guard !fields.isEmpty else { return self }
        func projection(_ quake: Quake) -> Quake {
            var projection = quake
            projection.keepOnly(fields)
            return projection
        }
        var change = self
        change.effect =
            switch effect {
            case .insert(let quake): .insert(projection(quake))
            case .update(let before, let after, let changed):
                .update(
                    before: projection(before), after: projection(after), changed: changed.filter(fields.contains))
            case .delete(let tombstone, let survivor):
                .delete(tombstone: projection(tombstone), mergedInto: survivor)
            }
        return change
    }
}
