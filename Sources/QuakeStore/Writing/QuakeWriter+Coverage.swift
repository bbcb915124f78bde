extension QuakeWriter {
    /// Returns the coverage as this transaction sees it.
    package func coverage() throws -> Coverage { try Coverage(in: database) }

    /// Returns the ids in question as this transaction sees them, sorted.
    package func idsInQuestion() throws -> [IDInQuestion] { try IDInQuestion.all(in: database) }

    /// Changes the coverage, after removing the times that this transaction's changes to quakes have made uncertain.
    package func changeCoverage(_ change: (inout Coverage) -> Void) throws {
        try writing {
            try settleCoverageRemovals()
            try Coverage.change(in: database, change)
        }
    }

    /// Adds a covered range to the coverage.
    package func add(_ range: CoveredRange) throws { try changeCoverage { $0.add(range) } }

    package func putInQuestion(_ idsInQuestion: [IDInQuestion]) throws {
        if !idsInQuestion.isEmpty {
            try changeCoverage { coverage in idsInQuestion.forEach { coverage.putInQuestion($0) } }
        }
    }

    /// Removes ids that are no longer in question.
    package func dropIDsInQuestion(_ ids: [String]) throws {
        if !ids.isEmpty { try changeCoverage { coverage in ids.forEach { coverage.drop($0) } } }
    }
}
