import QuakeModel

/// Checks the claims for what no answer can have brought. What the service has cannot be known here.
struct ClaimChecks {
    let context: QuakeContext
    let database: Database
    let log: FindingLog

    func run() throws {
        try checkRows()
        let claims = try context.sources.ledger().claims
        for (index, claim) in claims.enumerated() { try check(claim, claims[..<index]) }
        try database.forEach("SELECT id FROM unreadable WHERE since >= until ORDER BY id") {
            log.add(.claims, "the unreadable feature \($0.text(0)) has no origin time")
        }
    }

    private func checkRows() throws {
        try database.forEach("SELECT source, since, until FROM claimed ORDER BY since") { rows in
            if Claim.Source(rawValue: rows.text(0)) == nil,
                ![ClaimLedger.purgedSource, ClaimLedger.unfinishedSource].contains(rows.text(0))
            {
                log.add(.claims, "a claim has the unknown source \(rows.text(0))")
            }
            if rows.integer(1) >= rows.integer(2) {
                log.add(.claims, "the claim from \(rows.integer(1)) to \(rows.integer(2)) ends before it begins")
            }
        }
        if try database.claimEpoch() < 0 { log.add(.claims, "the epoch of the claims is negative") }
    }

    private func check(_ claim: Claim, _ others: ArraySlice<Claim>) throws {
        let name = "the claim from \(claim.originTimes.lowerBound.iso8601) to \(claim.originTimes.upperBound.iso8601)"
        if claim.conditions.unknownToService != nil || claim.conditions != claim.conditions.withoutTimes {
            log.add(.claims, "\(name) has impossible conditions")
        }
        if let least = claim.conditions.minimumMagnitude, let most = claim.conditions.maximumMagnitude, least > most {
            log.add(.claims, "\(name) accepts no magnitude")
        }
        // A server may be ahead of this machine by a day (rule 10), and machines change their clocks.
        if claim.asOf > context.cache.configuration.now() + .seconds(2 * 86_400) {
            log.add(.claims, "\(name) is as of \(claim.asOf.iso8601), which is in the future")
        }
        let isCounted = others.contains { other in
            other.source == claim.source && other.conditions == claim.conditions
                && other.originTimes.overlaps(claim.originTimes)
        }
        if isCounted { log.add(.claims, "\(name) overlaps another with the same conditions") }
    }
}

struct SolutionChecks {
    let database: Database
    let log: FindingLog

    func run() throws {
        try report(
            """
            SELECT quake FROM details WHERE quake NOT IN (SELECT key FROM quakes)
                AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.quake = details.quake)
            """
        ) {
            "there are solutions of quake \($0), which is not in the cache"
        }
        for table in SolutionKind.allCases.map(\.rawValue) {
            try report("SELECT DISTINCT quake FROM \(table) WHERE quake NOT IN (SELECT quake FROM details)") {
                "\(table) exist for quake \($0), which was never fetched"
            }
            try report(
                """
                SELECT DISTINCT quake FROM (
                    SELECT quake, position, row_number() OVER by_position - 1 AS expected,
                        published < lag(published) OVER by_position AS isEarlier
                    FROM \(table) WINDOW by_position AS (PARTITION BY quake ORDER BY position))
                WHERE position <> expected OR isEarlier
                """
            ) { "the \(table) of quake \($0) are not in order of publication" }
        }
        try report("SELECT DISTINCT quake FROM origins WHERE deleted = 0 AND (time + lat + lon) IS NULL") {
            "an origin of quake \($0) has no time or no location"
        }
    }

    private func report(_ sql: String, _ words: (Int64) -> String) throws {
        try database.forEach(sql) { log.add(.solutions, words($0.integer(0))) }
    }
}
