import FoundationEssentials

/// Effects of a transaction other than its changes to quakes: on coverage, on doubts about deleted quakes, and on ids.
/// An undo reverses all of them; reads of past states reverse those on ids.
struct TakenBack: Codable {
    /// The quakes that an id led to before and after the transaction; nil if the id led to no quake.
    struct MovedID: Codable {
        var old: QuakeKey?
        var new: QuakeKey?
    }

    /// Whether any quake, covered or not, was deleted or changed without confirmation from the service.
    var isLoss = false
    var claims: [Claim] = []
    var parts: [Claim] = []
    var questions: [OpenQuestion] = []
    var doubts: [Doubt] = []
    /// The ids, in lowercase, that have led to a different quake since the transaction, except ids of a new quake that
    /// led to no quake before; nil if there are none.
    var ids: [String: MovedID]?

    var isEmpty: Bool { !isLoss && doubts.isEmpty && ids?.isEmpty ?? true }

    /// Notes that an id now leads to another quake, or to none. Quakes with `firstNewKey` or a higher key are new.
    mutating func move(_ id: String, from old: QuakeKey?, to new: QuakeKey?, firstNewKey: QuakeKey) {
        func isNew(_ key: QuakeKey?) -> Bool { key.map { $0 >= firstNewKey } ?? false }
        let id = id.lowercased()
        let first = ids?[id] ?? MovedID(old: isNew(old) ? nil : old)
        ids = ids ?? [:]
        // A new quake keeps its ids when its insertion is undone, because the quake may return.
        ids?[id] = isNew(new) && first.old == nil ? nil : MovedID(old: first.old, new: new)
    }

    mutating func add(_ coverage: Coverage) {
        isLoss = true
        claims += coverage.claims
        parts += coverage.partClaims
        questions += coverage.questions
    }

    /// Reads the data that transaction `number` removed, without ids that have been moved again, and without coverage
    /// if a later transaction also lost coverage; nil if nothing was removed.
    init?(by number: TransactionNumber, in database: Database) throws {
        let text = try database.first("SELECT taken FROM transactions WHERE number = ?", number) { $0.textOrNil(0) }
        guard let text = text.flatMap(\.self),
            let taken = try? JSONDecoder().decode(TakenBack.self, from: Data(text.utf8))
        else { return nil }
        self = taken
        ids = try ids?.filter { try database.quake(ofAlias: $0.key) == $0.value.new }
        let later = try database.integer(
            "SELECT EXISTS (SELECT 1 FROM transactions WHERE number > ? AND taken ->> 'isLoss')", number)
        if later == 1 { (claims, parts, questions) = ([], [], []) }
    }

    init() {}

    /// Returns the ids moved by the transactions that meet `condition`, in the order of the transactions.
    static func movedIDs(
        where condition: String, in database: Database
    ) throws -> [(id: String, moved: MovedID)] {
        try database.all(
            """
            SELECT taken -> '$.ids' AS ids FROM main.transactions WHERE \(condition) AND ids IS NOT NULL ORDER BY number
            """
        ) { try? JSONDecoder().decode([String: MovedID].self, from: Data($0.text(0).utf8)) }
        .flatMap { ($0 ?? [:]).map { ($0.key, $0.value) } }
    }

    /// The JSON text stored in `transactions`; nil if there is nothing to restore.
    var json: String? {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return isEmpty ? nil : String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension QuakeWriter {
    /// Restores the unconfirmed changes, coverage and ids that a transaction removed, once its quakes are restored. Ids
    /// that are now preferred ids of other quakes are skipped. Coverage that the undo loses is removed at the end.
    func giveBack(_ taken: TakenBack) throws {
        try writing {
            for (id, moved) in taken.ids ?? [:] {
                let holder = try database.quake(ofAlias: id).flatMap { try knownQuake($0) }
                guard holder?.stored.quake.id.isSameID(as: id) != true else { continue }
                if let old = moved.old { try assign(alias: id, to: old) } else { try forget(alias: id) }
            }
            for doubt in taken.doubts where try knownQuake(doubt.quakeKey) != nil { try note(doubt) }
            try Coverage.change(in: database) {
                $0.restore(Coverage(taken.claims, parts: taken.parts, questions: taken.questions))
            }
        }
    }
}
