import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What a line is completed with", .scratch) struct CompletionTests {
    /// Returns a request to complete the last of `words`.
    private func asked(_ words: String..., home: String = "/nowhere") -> CompletionRequest {
        CompletionRequest(words: words, index: words.count - 1, homeDirectory: home)
    }

    private func texts(_ candidates: [Candidate]) -> [String] { candidates.map(\.text) }

    private let fields = ["time", "mag", "mmi"].map { Candidate($0) }

    @Test("In a list with commas the last element is completed, by what the list does not have yet") func lists() {
        let request = asked("quakes", "list", "--fields", "time,Mag,m")
        #expect(texts(request.inList(fields)) == ["time,Mag,mmi"])
        #expect(request.lines(request.inList(fields), for: .bash) == ["time,Mag,mmi"])
    }

    @Test(
        "A list with anything but candidates has no completion that would repeat it",
        arguments: ["$(x),m", "time,`x`,m", "'time ,m", "nothing,m"])
    func otherLists(typed: String) {
        #expect(asked("quakes", "list", "--fields", typed).inList(fields).isEmpty)
    }

    @Test("Folders and files of JSON are offered below the folder that is typed") func files() throws {
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

    @Test("Of an empty word fish 3 gives the quotes, of others it takes them away") func fish() {
        for (word, typed) in [("''", ""), ("a b", "a b"), ("it's", "it's")] {
            #expect(
                CompletionRequest(words: [word], index: 0, homeDirectory: "", isUnquoted: true).typed == typed)
        }
    }

    @Test("No file that completes a line opens a cache") func sources() throws {
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
