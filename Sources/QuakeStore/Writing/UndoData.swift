import FoundationEssentials

/// The effects of a transaction other than its changes to quakes: on the coverage, on unconfirmed changes to deleted
/// quakes, and on ids. An undo reverses all of these effects; a read of a past state reverses only the effects on ids.
struct UndoData: Codable {
    var coveredRanges: [CoveredRange] = []
    var requestedRanges: [CoveredRange] = []
    /// The ``Coverage/fingerprint(in:)`` right after the transaction; nil if the transaction removed no coverage.
    var coverageAfter: Int64?
    var unconfirmedChanges: [UnconfirmedChange] = []
    /// The ids, in lowercase, that the transaction moved to another quake or to none, except previously unknown ids
    /// that it assigned to a new quake. These ids are stored in a separate column.
    var movedIDs: [String: MovedID] = [:]

    private enum CodingKeys: String, CodingKey {
        case coveredRanges, requestedRanges, coverageAfter, unconfirmedChanges
    }

    var hasCoverage: Bool { !coveredRanges.isEmpty || !requestedRanges.isEmpty }

    /// Notes that an id now leads to another quake, or to none. Quakes with `firstNewKey` or a higher key are new.
    mutating func move(_ id: String, from old: QuakeKey?, to new: QuakeKey?, firstNewKey: QuakeKey) {
        func isNew(_ key: QuakeKey?) -> Bool { key.map { $0 >= firstNewKey } ?? false }
        let id = id.lowercased()
        let first = movedIDs[id] ?? MovedID(old: isNew(old) ? nil : old)
        // A new quake keeps its ids when its insertion is undone, because the quake may return.
        movedIDs[id] = isNew(new) && first.old == nil ? nil : MovedID(old: first.old, new: new)
    }

    /// Notes removed coverage.
    mutating func add(_ lost: Coverage) {
        coveredRanges += lost.coveredRanges
        requestedRanges += lost.requestedRanges
    }

    /// Reads the effects of transaction `number`.
    init(by number: TransactionNumber, in database: Database) throws {
        let texts = try database.first("SELECT taken, moved_ids FROM transactions WHERE number = ?", number) {
            (taken: $0.textOrNil(0), movedIDs: $0.textOrNil(1))
        }
        if let text = texts?.taken, let taken = try? JSONDecoder().decode(UndoData.self, from: Data(text.utf8)) {
            self = taken
        }
        movedIDs = texts?.movedIDs.map(MovedID.decoded) ?? [:]
    }

    /// Whether nothing has changed the coverage since transaction `number`, which had these effects. Any later
    /// transaction counts as a change, even if the coverage is the same, because it may have deleted quakes in times
    /// that are not covered now.
    func isLatest(ofCoverage database: Database, by number: TransactionNumber) throws -> Bool {
        guard try database.integer("SELECT max(number) FROM transactions") == number.rawValue else { return false }
        return try coverageAfter == Coverage.fingerprint(in: database)
    }

    init() {}

    /// The JSON for the column `taken` of `transactions`; nil if there is nothing to restore.
    var json: String? {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let isEmpty = !hasCoverage && unconfirmedChanges.isEmpty
            return isEmpty ? nil : String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
