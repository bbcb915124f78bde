import FoundationEssentials
import QuakeModel

extension SolutionHistory {
    init(ofKey key: QuakeKey, in database: Database) throws {
        let versions = try database.all(
            """
            SELECT product, source, code, published, weight, properties FROM main.products
            WHERE quake = ? ORDER BY position
            """, key
        ) { row in
            SolutionVersion(
                product: row.text(0), source: row.text(1), code: row.text(2), published: row.timestamp(3),
                weight: row.integer(4), values: try row.textOrNil(5).map { try SolutionProperties($0, database).values })
        }
        self.init(Dictionary(grouping: versions) { SolutionKind(ofProduct: $0.product) ?? .impacts })
    }

    func insert(ofKey key: QuakeKey, into database: Database) throws {
        let statement = try database.cached(CheckedTable.products.insertion())
        for (position, version) in SolutionKind.allCases.flatMap({ self[$0] }).enumerated() {
            try statement.bindAll(
                key, position, version.product, version.source, version.code, version.published.milliseconds,
                version.weight, version.values.map(SolutionProperties.json))
            try statement.run()
        }
    }
}

/// The values of a version as the cache keeps them: a JSON object whose members are named as the fields.
private struct SolutionProperties: Decodable {
    let values: [SolutionField: QuakeValue]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: SolutionField.self)
        values = try members.allKeys.reduce(into: [:]) { $0[$1] = try QuakeValue(members, $1, $1.kind) }
    }

    init(_ json: String, _ database: Database) throws(StoreError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
        } catch {
            throw .corrupt(path: database.path, reason: "the properties of a product cannot be read")
        }
    }

    static func json(_ values: [SolutionField: QuakeValue]) -> String {
        let members = SolutionField.allCases.compactMap { field -> String? in
            switch values[field] {
            case .integer(let integer): "\"\(field.rawValue)\":\(integer)"
            case .real(let real): "\"\(field.rawValue)\":\(real)"
            case .text(let text): "\"\(field.rawValue)\":\(JSONText.quoted(text))"
            case .null, nil: nil
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
