import ArgumentParser
import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What a line is completed with", .scratch) struct CompletionTests {
    /// Returns a request to complete the last of `words`, with `QUAKES_DB` set to `cache`.
    private func asked(_ words: String..., cache: String = "/nowhere/quakes.db") -> CompletionRequest {
        CompletionRequest(words: words, index: words.count - 1, environment: .test(variables: ["QUAKES_DB": cache]))
    }

    private func texts(_ candidates: [Candidate]) -> [String] { candidates.map(\.text) }

    /// The path of a cache with three quakes, one of which has a former id, and three consumers.
    private let path: String

    init() throws {
        path = try ScratchDirectory.ofTest().path("quakes.db")
        let cache = QuakeCache(path: path, configuration: StoreConfiguration(now: { Timestamp.sample }))
        let context = try cache.context(author: "org.example.one", access: .creating)
        try context.write { writer in
            for (id, hours) in [("us100", Int64(3)), ("us200", 1), ("ci300", 2)] {
                var quake = Quake(sample: id, time: .sample - .seconds(3600 * hours), place: "near \(id)")
                (quake.eventType, quake.status) = (id == "us100" ? "quarry blast" : "earthquake", "reviewed")
                let key = try writer.insert(quake, reason: .new)
                if id == "ci300" { try writer.assign(alias: "US777", to: key) }
            }
        }
        for name in ["alarm", "it's", "$(x)"] { try context.history.acknowledge(context.history.head(), for: name) }
    }

    @Test("Ids come newest first, by their start in any case; also those that a quake had before") func ids() throws {
        let request = asked("quakes", "show", "", cache: path)
        #expect(texts(request.quakeIDs("us")) == ["us200", "US777", "us100"])
        #expect(texts(request.quakeIDs("CI")) == ["ci300"])
        #expect(texts(request.quakeIDs("")).count == 4)
        #expect(request.quakeIDs("us2").first?.description == "2026-03-14 11:00 M 4.6 near us200")
        #expect(request.quakeIDs("ak").isEmpty)
    }

    @Test("Values are those that occur in the cache; without one, those that are known") func values() throws {
        let request = asked("quakes", "list", "--type", "", cache: path)
        #expect(texts(request.words(of: .type, known: ["explosion"])) == ["earthquake", "quarry blast"])
        #expect(texts(request.words(of: .alert, known: ["green"])) == ["green"])
        #expect(texts(asked("quakes", "").words(of: .type, known: ["explosion"])) == ["explosion"])
    }

    @Test("Consumers, authors, transactions and tokens are those of the cache") func history() throws {
        let request = asked("quakes", "changes", "", cache: path)
        #expect(Set(texts(request.consumers)) == ["alarm", "it's", "$(x)"])
        #expect(texts(request.authors) == ["org.example.one"])
        #expect(texts(request.transactions) == ["1"])
        let head = try QuakeCache(path: path).context(access: .reading).history.head()
        #expect(texts(request.tokens) == ["now", "beginning", head.description])
        #expect(texts(asked("quakes", "").tokens) == ["now", "beginning"])
    }

    @Test("The cache is the one that the line names last before the word") func named() throws {
        for words in [
            ["--db", path], ["--db=" + path], ["--db", "=", path], ["--db", "/x", "--db", "'\(path)'"],
        ] {
            let request = CompletionRequest(
                words: ["quakes", "show"] + words + [""], index: words.count + 2,
                environment: asked("quakes").environment)
            #expect(request.quakeIDs("us2").count == 1, "\(words)")
        }
        #expect(asked("quakes", "show", "--db", "/x", "", cache: path).quakeIDs("us2").isEmpty)
    }

    @Test("A cache that is missing, broken or newer gives nothing, and no file is made") func unreadable() throws {
        let directory = try ScratchDirectory.ofTest()
        try FileManager.default.copyItem(atPath: path, toPath: directory.path("newer.db"))
        _ = try SQLiteFile(path: directory.path("newer.db"), isReadOnly: false).rows("PRAGMA user_version = 999")
        try directory.write(Data(repeating: 120, count: 5000), to: "broken.db")
        #expect(mkfifo(directory.path("pipe.db"), 0o600) == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        for name in ["none.db", "none/none.db", "broken.db", "newer.db", "pipe.db", ""] {
            let request = asked("quakes", "show", "", cache: directory.path(name))
            #expect(request.quakeIDs("").isEmpty && request.consumers.isEmpty && request.sources.isEmpty, "\(name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == before)
    }

    @Test("A cache that another program has locked gives nothing") func locked() throws {
        let holder = try SQLiteFile(path: path, isReadOnly: false)
        _ = try holder.rows("PRAGMA locking_mode = EXCLUSIVE")
        _ = try holder.rows("BEGIN EXCLUSIVE")
        #expect(asked("quakes", "show", "", cache: path).quakeIDs("").isEmpty)
        _ = try holder.rows("ROLLBACK")
    }

    @Test("In a list with commas the last element is completed, by what the list does not have yet") func lists() {
        let request = asked("quakes", "list", "--fields", "time,Mag,m")
        let found = request.inList { element in
            #expect(element == "m")
            return ["mag", "mmi", "time"].map { Candidate($0) }
        }
        #expect(texts(found) == ["time,Mag,mmi"])
        #expect(request.lines(found, for: .bash) == ["time,Mag,mmi"])
    }

    @Test("In a template the placeholder whose brace is open is completed") func templates() {
        func completed(_ typed: String) -> [String] {
            let request = asked("quakes", "list", "--template", typed)
            return request.lines(request.inTemplate(["mag", "place"]), for: .fish)
        }
        #expect(completed("'{mag} {pl") == ["{mag} {place}"])
        #expect(completed("") == ["{mag}", "{place}"])
        #expect(completed("{mag} at") == [])
    }

    @Test("Folders and files of JSON are offered below the folder that is typed") func files() throws {
        let directory = try ScratchDirectory.ofTest()
        for name in ["a.geojson", "b.json", "c.txt", ".d.json"] { try directory.write(Data(), to: name) }
        try FileManager.default.createDirectory(atPath: directory.path("e"), withIntermediateDirectories: false)
        let folder = directory.url.path + "/"
        let found = asked("quakes", "refresh", folder).feedFiles
        #expect(texts(found) == ["a.geojson", "b.json", "e/"].map { folder + $0 })
        #expect(texts(asked("quakes", "refresh", folder + ".").feedFiles) == [folder + ".d.json"])
        #expect(asked("quakes", "refresh", "/nowhere/").feedFiles.isEmpty)
    }

    @Test("Of an empty word fish 3 gives the quotes, of others it takes them away") func fish() throws {
        let environment = asked("quakes").environment
        for (word, typed) in [("''", ""), ("a b", "a b"), ("it's", "it's")] {
            #expect(
                CompletionRequest(words: [word], index: 0, environment: environment, isUnquoted: true).typed == typed)
        }
    }
}
