import FoundationEssentials

/// What a transaction removed besides its changes, for an undo: coverage, doubts about deleted quakes, and ids.
struct TakenBack: Codable {
    /// The quake that an id led to before, and the one that it leads to since.
    struct MovedID: Codable {
        var old: QuakeKey
        var new: QuakeKey
    }

    /// Whether something was deleted or changed without the service's word, even if nothing of it was covered.
    var isLoss = false
    var claims: [Claim] = []
    var parts: [Claim] = []
    var questions: [OpenQuestion] = []
    var doubts: [Doubt] = []
    /// The ids that lead to another quake than before, in lower case; nil for none.
    var ids: [String: MovedID]?

    var isEmpty: Bool { !isLoss && doubts.isEmpty && ids == nil }

    mutating func move(_ id: String, from old: QuakeKey, to new: QuakeKey) {
        ids = ids ?? [:]
        ids?[id.lowercased(), default: MovedID(old: old, new: new)].new = new
    }

    mutating func add(_ coverage: Coverage) {
        isLoss = true
        claims += coverage.claims
        parts += coverage.partClaims
        questions += coverage.questions
    }

    /// What transaction `number` removed, but for ids that were moved again since, and for coverage where more was lost
    /// since; nil for nothing.
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

    /// What `transactions` keeps; nil if nothing is to be given back.
    var json: String? {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return isEmpty ? nil : String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension QuakeWriter {
    /// Restores what a transaction removed, after its quakes are back: the doubts, the ids but for the preferred ones of
    /// other quakes, and the coverage, of which what the undo itself loses is removed at its end.
    func giveBack(_ taken: TakenBack) throws {
        try writing {
            for (id, moved) in taken.ids ?? [:] {
                let holder = try database.quake(ofAlias: id).flatMap { try knownQuake($0) }
                if holder?.stored.quake.id.isSameID(as: id) != true { try assign(alias: id, to: moved.old) }
            }
            for doubt in taken.doubts where try knownQuake(doubt.quakeKey) != nil { try note(doubt) }
            try Coverage.change(in: database) {
                $0.restore(Coverage(taken.claims, parts: taken.parts, questions: taken.questions))
            }
        }
    }
}
