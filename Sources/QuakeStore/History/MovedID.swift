import FoundationEssentials

/// The quakes that an id led to before (`old`) and after (`new`) a transaction; nil for no quake.
struct MovedID: Codable {
    var old: QuakeKey?
    var new: QuakeKey?
}

extension MovedID {
    /// Returns the ids moved by the transactions that meet `condition`, in the order of the transactions.
    static func all(where condition: String, in database: Database) throws -> [(id: String, moved: MovedID)] {
        try database.all(
            """
            SELECT moved_ids FROM main.transactions WHERE \(condition) AND moved_ids IS NOT NULL ORDER BY number
            """
        ) { decoded($0.text(0)) }.flatMap { $0.map { ($0.key, $0.value) } }
    }

    /// The JSON for the column `moved_ids` of `transactions`; nil if there are no ids.
    static func encoded(_ ids: [String: MovedID]) throws -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return ids.isEmpty ? nil : String(decoding: try encoder.encode(ids), as: UTF8.self)
    }

    /// The ids in the JSON of the column `moved_ids`; empty if the JSON cannot be read.
    static func decoded(_ text: String) -> [String: MovedID] {
        (try? JSONDecoder().decode([String: MovedID].self, from: Data(text.utf8))) ?? [:]
    }
}
