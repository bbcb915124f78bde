import QuakeModel

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
