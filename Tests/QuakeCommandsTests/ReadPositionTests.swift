import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("The saved position of a reader", .scratch) struct ReadPositionTests {
    @Test("After its first delivery, a reader no longer starts at the beginning of the history") func laterStart()
        throws
    {
        let cache = QuakeCache(path: try ScratchDirectory.ofTest().path("quakes.db"))
        let context = try QuakeContext(cache, access: .creating)
        try context.write { _ = try $0.insert(Quake(sample: "us1"), reason: .new) }
        let reporter = Reporter(.test(), try GlobalOptions.parse(["-q"]))
        let position = ReadPosition(.consumer("alarm"))
        _ = try position.start(in: context, reporter)
        #expect(position.startedAtBeginning)
        try position.save(ReadPosition.Receipt(token: context.history.currentToken()), in: context)
        _ = try position.start(in: context, reporter)
        #expect(!position.startedAtBeginning)
    }
}
