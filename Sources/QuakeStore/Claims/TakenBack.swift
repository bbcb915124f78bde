import FoundationEssentials
import QuakeModel

/// What a transaction removed besides its changes, for an undo: claims, doubts about deleted quakes, and ids.
struct TakenBack: Codable {
    /// The quake that an id led to before, and the one that it leads to since.
    struct MovedID: Codable {
        var old: QuakeKey
        var new: QuakeKey
    }

    /// The epoch of the claims after the transaction: with a later one something else took claims back since.
    var epoch: Int64 = 0
    var claims: [Claim] = []
    var left: [Claim] = []
    var doubts: [Doubt] = []
    /// The ids that lead to another quake than before, in lower case; nil for none.
    var ids: [String: MovedID]?

    var isEmpty: Bool { claims.isEmpty && doubts.isEmpty && ids == nil }

    mutating func move(_ id: String, from old: QuakeKey, to new: QuakeKey) {
        ids = ids ?? [:]
        ids?[id.lowercased(), default: MovedID(old: old, new: new)].new = new
    }

    /// What transaction `number` removed, but for ids that were moved again since; nil for nothing.
    init?(by number: TransactionNumber, in database: Database) throws {
        let text = try database.first("SELECT taken FROM taken_back WHERE txn = ?", number) { $0.text(0) }
        guard let text, let taken = try? JSONDecoder().decode(TakenBack.self, from: Data(text.utf8)) else { return nil }
        self = taken
        ids = try ids?.filter { try database.quake(ofAlias: $0.key) == $0.value.new }
    }

    init() {}

    func keep(for number: TransactionNumber, in database: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        try database.run(CheckedTable.takenBack.insertion(), number, text)
    }
}

extension ClaimLedger {
    /// Makes the claims `taken` again in place of what was left of them, where no claim has the same conditions by now.
    mutating func giveBack(_ taken: [Claim], for left: [Claim]) {
        claims.removeAll(where: left.contains)
        for claim in taken {
            var missing = [claim.originTimes]
            for held in claims where held.source == claim.source && held.conditions == claim.conditions {
                missing = missing.flatMap { $0.without(held.originTimes) }
            }
            let isHeld = missing.last?.upperBound != claim.originTimes.upperBound
            claims += missing.map { originTimes in
                var part = claim
                part.originTimes = originTimes
                part.isOpenEnded = claim.isOpenEnded && originTimes.upperBound == claim.originTimes.upperBound
                return part
            }
            if claim.isOpenEnded, isHeld { reopen(claim) }
        }
        settle()
    }

    /// Lets updates extend again what ends where `claim` ended.
    private mutating func reopen(_ claim: Claim) {
        for index in claims.indices
        where claims[index].source == claim.source && claims[index].conditions == claim.conditions
            && claims[index].originTimes.upperBound == claim.originTimes.upperBound
        { claims[index].isOpenEnded = true }
    }
}

extension Range<Timestamp> {
    /// What lies before `other`, and what lies behind it.
    fileprivate func without(_ other: Range) -> [Range] {
        guard overlaps(other) else { return [self] }
        return [
            lowerBound..<Swift.max(lowerBound, other.lowerBound), Swift.min(upperBound, other.upperBound)..<upperBound,
        ]
        .filter { !$0.isEmpty }
    }
}

extension QuakeWriter {
    /// Restores what a transaction removed, after its quakes are back: the doubts, the ids but for the preferred ones of
    /// other quakes, and the claims unless something else took claims back since.
    func giveBack(_ taken: TakenBack, at epoch: Int64) throws {
        try writing {
            try settleLosses()
            for (id, moved) in taken.ids ?? [:] {
                let holder = try database.quake(ofAlias: id).flatMap { try knownQuake($0) }
                if holder?.stored.quake.id.isSameID(as: id) != true { try assign(alias: id, to: moved.old) }
            }
            for doubt in taken.doubts where try knownQuake(doubt.quakeKey) != nil { try note(doubt) }
            guard epoch == taken.epoch else { return }
            _ = try ClaimLedger.change(in: database) { $0.giveBack(taken.claims, for: taken.left) }
        }
    }
}
