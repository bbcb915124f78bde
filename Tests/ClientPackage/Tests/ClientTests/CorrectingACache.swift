import Foundation
import QuakeEditing
import Testing

/// Two people who correct the same quake.
@Suite("Corrections of a cache", .timeLimit(.minutes(5))) struct CorrectingACache {
    private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "correct")

    /// Runs the program, with `answer` once it has asked. Calls `meanwhile` between the question and the answer.
    private func correct(
        _ arguments: [String], answer: String, meanwhile: () throws -> Void = {}
    ) throws -> (status: Int32, output: String) {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
        try meanwhile()
        try input.fileHandleForWriting.write(contentsOf: Data("\(answer)\n".utf8))
        try input.fileHandleForWriting.close()
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: rest, as: UTF8.self))
    }

    @Test("The sample correction saves a net effect, and reports a change by somebody else instead of replacing it")
    func correction() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            try editor.insert(.invented("a", magnitude: 4))
            try editor.save()
            let saved = try correct([cache.path, "usa", "5"], answer: "y")
            #expect(saved == (0, "Saved as transaction 2.\n"))
            #expect(try correct([cache.path, "usa", "5"], answer: "y") == (0, "The magnitude is already 5.0.\n"))
            #expect(try correct([cache.path, "usa", "6"], answer: "n") == (1, "Nothing was changed.\n"))
            let conflict = try correct([cache.path, "usa", "6"], answer: "y") {
                try editor.insert(.invented("a", magnitude: 4.5))
                try editor.save()
            }
            #expect(conflict == (75, "Somebody else has changed usa meanwhile: mag. Run the command again.\n"))
            #expect(try context.fetch().map(\.quake.magnitude) == [4.5])
            #expect(try context.history.lastTransaction()?.author == "org.example.app")
        }
    }
}
