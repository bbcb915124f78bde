extension QuakeWriter {
    /// Returns the coverage as this transaction sees it.
    package func coverage() throws -> Coverage { try Coverage(in: database) }

    /// Returns the ids in question as this transaction sees them, sorted.
    package func questions() throws -> [OpenQuestion] { try OpenQuestion.all(in: database) }

    /// Changes the coverage, after removing the times that deletions so far have made uncertain.
    package func changeCoverage(_ change: (inout Coverage) -> Void) throws {
        try writing {
            try settleCoverageRemovals()
            try Coverage.change(in: database, change)
        }
    }

    /// Records `claim`, which is valid from this transaction on.
    package func add(_ claim: Claim) throws { try changeCoverage { $0.add(claim) } }

    package func note(_ questions: [OpenQuestion]) throws {
        if !questions.isEmpty { try changeCoverage { coverage in questions.forEach { coverage.note($0) } } }
    }

    /// Removes ids that have been resolved.
    package func dropQuestions(about ids: [String]) throws {
        if !ids.isEmpty { try changeCoverage { coverage in ids.forEach { coverage.drop($0) } } }
    }
}
