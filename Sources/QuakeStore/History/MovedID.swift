import FoundationEssentials

/// The quakes that an id led to before and after the transaction; nil if the id led to no quake.
struct MovedID: Codable {
    var old: QuakeKey?
    var new: QuakeKey?
}

extension MovedID {
    /// Returns the ids moved by the transactions that meet `condition`, in the order of the transactions.
    static func all(where condition: String, in database: Database) throws -> [(id: String, moved: MovedID)] {
        try database.all(
            """
            SELECT taken -> '$.ids' AS ids FROM main.transactions WHERE \(condition) AND ids IS NOT NULL ORDER BY number
            """
        ) { try? JSONDecoder().decode([String: MovedID].self, from: Data($0.text(0).utf8)) }
        .flatMap { ($0 ?? [:]).map { ($0.key, $0.value) } }
    }
}
