import QuakeTestSupport
import QuakeStore
import Testing

/// The example in the library's documentation: the same code synchronizes fully and incrementally.
struct QuakeBoard {
    private(set) var titles: [QuakeKey: String] = [:]
    private(set) var token: HistoryToken?

    /// Updates the board, whatever it contained before.
    mutating func synchronize(with context: QuakeContext) throws {
        try context.history.fetch(HistoryDescriptor(after: token)) { event in
            switch event {
            case .dropEverything:
                titles = [:]
                token = nil
            case .resync(let resynced):
                titles[resynced.stored.key] = resynced.stored.quake.title
            case .change(let relevant):
                titles[relevant.change.quakeKey] = relevant.change.after?.title
            case .end(let end):
                token = end.token
            }
        }
    }
}

@Suite(.scratch)
struct OneSynchronizationPathTests {
    @Test func theExampleWorksFromNothingOnwardsAndAfterAPurge() throws {
        let (_, context) = try ScratchStore.ofTest()
        var board = QuakeBoard()
        try context.record(.sample("us701", magnitude: 4))
        try context.record(.sample("us702", magnitude: 5))
        try board.synchronize(with: context)
        #expect(board.titles == [1: "M 4.0 - 5 km S of Pāhola", 2: "M 5.0 - 5 km S of Pāhola"])
        try context.revise(1) { $0.magnitude = 4.2 }
        try board.synchronize(with: context)
        #expect(board.titles[1] == "M 4.2 - 5 km S of Pāhola")
        try context.maintenance.purge(QuakeFilter(), words: "purge")
        try context.record(.sample("us703", magnitude: 6))
        _ = try context.history.delete(through: context.history.head().number)
        try board.synchronize(with: context)
        #expect(board.titles == [3: "M 6.0 - 5 km S of Pāhola"])
        #expect(try board.token == context.history.head())
    }
}
