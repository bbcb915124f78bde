import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("A position that the cache could not save", .scratch) struct UnsavedPositionTests {
    @Test("A position that could not be saved after an --exec command is saved before the next one") func savedFirst()
        throws
    {
        let path = try ScratchDirectory.ofTest().path("quakes.db")
        let cache = QuakeCache(path: path, configuration: StoreConfiguration(busyTimeout: .zero))
        let context = try QuakeContext(cache, access: .creating)
        let position = ReadPosition(.consumer("alarm"))
        try context.write { _ = try $0.insert(Quake(sample: "us1"), reason: .new) }
        try position.save(ReadPosition.Receipt(token: context.history.currentToken()), in: context)
        try context.write { _ = try $0.insert(Quake(sample: "us2"), reason: .new) }
        let head = try context.history.currentToken()
        let (file, options) = (try CapturedFile(), try GlobalOptions.parse(["-q"]))
        let reporter = Reporter(.test(output: file.stream), options)
        let other = try SQLiteFile(path: path, isReadOnly: false)
        try other.rows("BEGIN IMMEDIATE")
        let error = #expect(throws: CommandError.self) {
            let command = ReadPosition.FinishedCommand(quake: "us2")
            try position.save(ReadPosition.Receipt(token: head, command: command), in: context)
        }
        error?.print(on: file.stream, options)
        #expect(file.text.contains("The command ran for us2"))
        #expect(throws: CommandError.self) { try position.start(in: context, reporter) }
        try other.rows("ROLLBACK")
        _ = try position.start(in: context, reporter)
        #expect(try context.history.consumer(named: "alarm")?.token == head)
    }
}
