import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E6 of seeds.md.
/// An undo leaves a quake as it is if another quake has the quake's former id and would keep it.
@Suite("Undo while another quake has the former id", .scratch) final class TakenIDTests: SuiteWithCache {
    private func rename(_ key: QuakeKey, to code: String) throws {
        try context.edit { try $0.update(try #require(try context.quake(key: key))) { $0.code = code } }
    }

    /// Expects that neither a dry run nor a real undo of a transaction finds anything to undo.
    private func expectBlocked(_ number: TransactionNumber, by id: String) throws {
        let contents = try context.contents()
        for dryRun in [true, false] {
            #expect(throws: StoreError.cannotUndo(transaction: number, quakes: [id]), "dry run: \(dryRun)") {
                try context.undo(transaction: number, dryRun: dryRun)
            }
        }
        #expect(try context.contents() == contents)
        #expect(try context.maintenance.verify(full: true).isSound)
    }

    @Test("An undo is refused if a quake that it does not touch has returned under the former id")
    func returnedQuake() throws {
        try context.save(.coded("3"))
        try context.edit { try $0.delete(try #require(try context.quake(key: 1))) }
        try context.save(.coded("5"))
        try rename(2, to: "3")
        // Undoing the renaming also gives the id back to the deleted quake, which joins the two.
        try context.undo(transaction: 4)
        try context.save(.coded("3"))
        try expectBlocked(5, by: "us3")
    }

    @Test("An undo is refused if another quake has the former id in other case") func otherCase() throws {
        try context.save(.coded("3"))
        try rename(1, to: "4")
        try context.save(.coded("3", net: "US"))
        try expectBlocked(2, by: "us3")
    }

    @Test("Quakes that exchanged their ids in one transaction, or changed their case, get them back") func exchange()
        throws
    {
        try context.save(.coded("3"), .coded("4"))
        let before = try context.contents()
        try context.edit { editor in
            let quakes = try context.fetch(QuakeFilter()).sorted { $0.key < $1.key }
            try editor.exchangeIDs(of: quakes[0], quakes[1], net: "US")
        }
        for number in [2, 3, 4] as [TransactionNumber] {
            for dryRun in [true, false] {
                #expect(try context.undo(transaction: number, dryRun: dryRun).result.restored == 2)
            }
        }
        #expect(try context.contents() == before && context.maintenance.verify(full: true).isSound)
    }
}

extension QuakeEditor {
    /// Gives two quakes each other's code, through an id that is not saved.
    func exchangeIDs(of first: StoredQuake, _ second: StoredQuake, net: String) throws {
        let parked = StoredQuake(key: first.key, quake: first.quake.with { $0.code = "parked" })
        try update(first, to: parked.quake)
        try update(second) { ($0.net, $0.code) = (net, first.quake.code) }
        try update(parked) { ($0.net, $0.code) = (net, second.quake.code) }
    }
}
