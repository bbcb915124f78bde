/// What follows from the table of conditions.
extension QuakeFilter {
    /// The conditions that are set.
    package var conditions: [FilterCondition] { QuakeFilter.table.flatMap { $0.conditions(self) } }

    /// Whether `quake` satisfies every condition. The same answer as the store's query gives.
    public func accepts(_ quake: Quake) -> Bool { conditions.allSatisfy { $0.holds(for: quake) } }

    /// The filter as a headline: `M 4.5+ · since 2025-05-04 · place "alaska"`. It has
    /// moments and no ages, because a map is read later.
    package var headline: String {
        let set = QuakeFilter.table.compactMap { $0.words(self) }
        guard let first = set.first else { return "All quakes" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + set.dropFirst()).joined(separator: " · ")
    }

    /// The first condition that the event service does not know, by the name of its member here; nil if it knows all.
    package var unknownToService: String? {
        QuakeFilter.table.first { $0.service == nil && !$0.conditions(self).isEmpty }?.member
    }

    /// The conditions that a claim may have, as members of a JSON object: `min_mag`, `bbox`, …
    package var claimMembers: [(name: String, value: FilterValue)] {
        QuakeFilter.table.flatMap { $0.service?.members ?? [] }.compactMap { member in
            member.get(self).map { (member.name, $0) }
        }
    }

    /// The conditions that `members` name; others are ignored.
    package init(claimMembers members: [String: FilterValue]) {
        self.init()
        for member in QuakeFilter.table.flatMap({ $0.service?.members ?? [] }) {
            if let value = members[member.name] { member.set(&self, value) }
        }
    }

    /// Whether every quake that `other` accepts satisfies this filter too, as far as the conditions tell that the event
    /// service knows. False when in doubt.
    package func includes(_ other: QuakeFilter) -> Bool {
        QuakeFilter.table.filter { $0.service != nil }.allSatisfy { row in
            let narrower = row.conditions(other)
            return row.conditions(self).allSatisfy { condition in narrower.contains { $0.implies(condition) } }
        }
    }
}
