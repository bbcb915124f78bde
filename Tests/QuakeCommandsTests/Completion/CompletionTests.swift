import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Completion of the command line", .scratch) struct CompletionTests {
    /// Returns a request to complete the last of `words`.
    private func asked(_ words: String..., home: String = "/nowhere") -> CompletionRequest {
        CompletionRequest(words: words, index: words.count - 1, homeDirectory: home)
    }

    private func texts(_ candidates: [Candidate]) -> [String] { candidates.map(\.text) }

    private let fields = ["time", "mag", "mmi"].map { Candidate($0) }

    @Test("The last element of a comma-separated list is completed only with values not yet listed") func lists() {
        let request = asked("quakes", "list", "--fields", "time,Mag,m")
        #expect(texts(request.inList(fields)) == ["time,Mag,mmi"])
        #expect(request.lines(request.inList(fields), for: .bash) == ["time,Mag,mmi"])
    }

    @Test(
        "After an unknown value in a comma-separated list, no completion is offered",
        arguments: ["$(x),m", "time,`x`,m", "'time ,m", "nothing,m"])
    func otherLists(typed: String) {
        #expect(asked("quakes", "list", "--fields", typed).inList(fields).isEmpty)
    }

    @Test("For quakes refresh, completion offers the folders and JSON files in the typed folder") func files() throws {
        let directory = try ScratchDirectory.ofTest()
        for name in ["a.geojson", "b.json", "c.txt", ".d.json"] { try directory.write(Data(), to: name) }
        try FileManager.default.createDirectory(atPath: directory.path("e"), withIntermediateDirectories: false)
        let folder = directory.url.path + "/"
        let found = ["a.geojson", "b.json", "e/"]
        #expect(texts(asked("quakes", "refresh", folder).feedFiles) == found.map { folder + $0 })
        #expect(texts(asked("quakes", "refresh", "~/", home: directory.url.path).feedFiles) == found.map { "~/" + $0 })
        #expect(texts(asked("quakes", "refresh", folder + ".").feedFiles) == [folder + ".d.json"])
        #expect(asked("quakes", "refresh", "/nowhere/").feedFiles.isEmpty)
    }

    @Test("Completion takes a word from fish literally, except that '' is an empty word") func fish() {
        for (word, typed) in [("''", ""), ("a b", "a b"), ("it's", "it's")] {
            #expect(
                CompletionRequest(words: [word], index: 0, homeDirectory: "", isUnquoted: true).typed == typed)
        }
    }

    @Test("Shell completion opens no cache: its source files name no type or function that does")
    func completionOpensNoCache() throws {
        let folder = Fixture.projectDirectory.appending(path: "Sources/QuakeCommands/Completion")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in ["QuakeCache", "QuakeContext", "context(", "databasePath"] {
                #expect(!text.contains(word), "\(file.lastPathComponent)")
            }
        }
    }
}
