import Foundation
import QuakeDownload
import QuakeEditing
import QuakeStore
import Testing

/// The costs and limits of depending on `quakes`.
@Suite("Products and boundaries of the package", .timeLimit(.minutes(5))) struct PackageBoundaries {
    /// The executables and modules that were built together with this test.
    private let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Runs a program and returns its status and output.
    private func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString).txt")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forWritingTo: output)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
    }

    /// Starts a product, and returns it with its output.
    private func start(_ product: String, _ arguments: [String]) throws -> (process: Process, output: FileHandle) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = products.appending(path: product)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }

    @Test("A program that only reads a cache links neither FoundationNetworking nor libcurl")
    func readersLinkNoNetwork() async throws {
        let reader = products.appending(path: "count-quakes").path
        let libraries = try run("ldd", [reader]).output
        #expect(libraries.contains("libsqlite3") && libraries.contains("libFoundationEssentials"))
        for unwanted in ["libFoundationNetworking", "libFoundation.so", "libcurl"] {
            #expect(!libraries.contains(unwanted), "\(libraries)")
        }
        // The program that downloads does link it.
        let downloader = try run("ldd", [products.appending(path: "refresh-and-list").path]).output
        #expect(downloader.contains("libFoundationNetworking"))

        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            for number in [2, 5, 6] { try editor.insert(.invented("q\(number)", magnitude: Double(number))) }
            try editor.save()
            #expect(try run(reader, [cache.path, "4.5"]).output == "2\n")
        }
    }

    @Test("The sample exporter writes QuakeML, CSV and JSON lines, and links no network library") func exporter()
        async throws
    {
        let program = products.appending(path: "export-quakes").path
        let libraries = try run("ldd", [program]).output
        #expect(!libraries.contains("libFoundationNetworking") && !libraries.contains("libcurl"), "\(libraries)")
        try await withFolder { folder in
            let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
            try await cache.edit { editor in
                for number in [2, 5, 6] { try editor.insert(.invented("q\(number)", magnitude: Double(number))) }
            }
            let (status, output) = try run(program, [cache.path, folder.path, "4.5"])
            #expect(status == 0 && output.isEmpty, "\(output)")
            func document(_ name: String) throws -> String {
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
            let events = try XMLReader(try document("quakes.xml")).names.filter { $0 == "event" }
            #expect(events.count == 2)
            let table = try document("quakes.csv").split(separator: "\n").map { $0.split(separator: ",") }
            #expect(table.map { $0[0] } == ["id", "usq5", "usq6"] && table[0].count == QuakeProperty.allCases.count)
            let changes = try document("changes.ndjson").split(separator: "\n").map {
                try JSONDecoder().decode(HistoryEvent.self, from: Data($0.utf8))
            }
            let expected = try await cache.read { context in
                var events: [HistoryEvent] = []
                try context.history.fetch { events.append($0) }
                return events
            }
            #expect(changes.count == 4 && changes.last == expected.last)
            let isSame = zip(changes, expected).allSatisfy { changed, event in
                guard case (.change(let one), .change(let other)) = (changed, event) else { return changed == event }
                return one.change == other.change && one.token == other.token
            }
            #expect(isSame)
        }
    }

    @Test("The README's sample program refreshes from a feed file and prints 10 quakes") func readmeProgram()
        async throws
    {
        try await withFolder { folder in
            let program = products.appending(path: "refresh-and-list").path
            for round in 1...2 {
                let (status, output) = try run(program, [Files.feed("all_day-\(round)").path], in: folder)
                let lines = output.split(separator: "\n")
                #expect(status == 0 && lines.count == 11, "\(output)")
                #expect(lines.first?.hasSuffix(" quakes in all_day") == true)
                #expect(
                    lines.dropFirst().first == "2026-03-14T07:33:51.882Z M 6.2 - 83 km SE of Puerto Almendra, Chile")
            }
        }
    }

    @Test("The sample status program prints the sources, age, coverage and b-value of a cache")
    func statusProgram() async throws {
        try await withCache { cache, context in
            _ = try await FeedMirror(cache).refresh(.file(Files.feed("all_day-1").path))
            let editor = QuakeEditor(context)
            for number in 0..<200 {
                try editor.insert(.invented("q\(number)", magnitude: 2 - log10(Double(number + 1) / 200)))
            }
            try editor.save()
            let (status, output) = try run(products.appending(path: "cache-status").path, [cache.path])
            let lines = output.split(separator: "\n").map(String.init)
            #expect(status == 0 && lines.first == "224 quakes", "\(output)")
            for beginning in [
                "source: all_day, checked 20", "newest publication: 2026-03-14T", "covered: 2026-03-13T",
                "M 2 up to 3: 185", "from M 2.3 on: b = ",
            ] {
                #expect(lines.count { $0.hasPrefix(beginning) } == 1, "\(output)")
            }
        }
    }

    @Test("The sample programs delete quarry blasts, and undo an author's last transaction once")
    func editingPrograms() async throws {
        try await withCache { cache, context in
            let editor = QuakeEditor(context)
            for (code, type) in [("a", "quarry blast"), ("b", "earthquake"), ("c", nil), ("old", "quarry blast")] {
                var quake = Quake.invented(code)
                quake.eventType = type
                if code != "old" { quake.originTime = .now - .seconds(3600) }
                try editor.insert(quake)
            }
            try editor.save()
            let blasts = try run(products.appending(path: "delete-blasts").path, [cache.path, "7"])
            #expect(blasts.output == "1 quarry blasts deleted\n")
            let entry = try #require(try context.history.lastTransaction())
            #expect(entry.author == "delete-blasts" && entry.purpose == "quarry blasts of the last 7.0 days")
            #expect(try Set(context.fetch().map(\.quake.code)) == ["b", "c", "old"])

            let undo = products.appending(path: "undo-last").path
            let (status, output) = try run(undo, [cache.path, "delete-blasts"])
            #expect(status == 0 && output.contains("of the last 7.0 days\n  delete M 4.0"), "\(output)")
            #expect(output.hasSuffix("1 quakes restored by transaction 3\n"), "\(output)")
            #expect(try context.fetchCount() == 4 && context.history.isUndone(entry.number))
            let again = try run(undo, [cache.path, "delete-blasts"])
            #expect(again.status == 1 && again.output == "delete-blasts has nothing to undo\n")
            #expect(try context.undo(transaction: 3, dryRun: true).result.restored == 1)
        }
    }

    @Test("The sample exporter rewrites its JSON file when another process adds a large quake")
    func exportFollowsCache() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "m45.json")
            let (process, output) = try start("keep-json", [file.path, Files.feed("all_day-1").path])
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            let cache = QuakeCache(path: file.path + ".db")
            var (hasLarger, isInStep) = (false, false)
            // Each line reports that the file has been written.
            while !output.availableData.isEmpty {
                let quakes = try JSONDecoder().decode([Quake].self, from: Data(contentsOf: file))
                #expect(quakes.allSatisfy { ($0.magnitude ?? 0) >= 4.5 })
                isInStep = quakes.contains { $0.id == "usbig" }
                if isInStep { break }
                guard !hasLarger, !quakes.isEmpty else { continue }
                hasLarger = true
                try await cache.edit { try $0.insert(.invented("big", magnitude: 9)) }
            }
            #expect(isInStep)
        }
    }

    @Test("The sample daemon prints each new quake once, even after the daemon restarts")
    func daemonPrintsNewQuakesOnce() async throws {
        try await withFolder { folder in
            let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
            let arguments = [cache.path, Files.feed("all_day-1").path]
            func insert(_ code: String) async throws {
                try await cache.edit { try $0.insert(.invented(code, magnitude: 9)) }
            }
            let (first, news) = try start("tell-once", arguments)
            defer { first.terminate() }
            while try await cache.write({ try $0.history.consumer(named: "org.example.tell-once") }) == nil {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await insert("one")
            #expect(String(decoding: news.availableData, as: UTF8.self).split(separator: "\n").count == 1)
            // The token moves after the line has been printed.
            let head = try await cache.read { try $0.history.currentToken() }
            while try await cache.read({ try $0.history.consumer(named: "org.example.tell-once") })?.token != head {
                try await Task.sleep(for: .milliseconds(20))
            }
            first.terminate()
            first.waitUntilExit()
            try await insert("two")
            let (second, later) = try start("tell-once", arguments)
            #expect(String(decoding: later.availableData, as: UTF8.self).split(separator: "\n").count == 1)
            second.terminate()
            second.waitUntilExit()
            // What it did not see is purged, so that everything comes again.
            try await insert("three")
            let context = try QuakeContext(cache)
            try context.history.trim(through: context.history.currentToken().number, force: true)
            let (third, again) = try start("tell-once", arguments)
            defer {
                third.terminate()
                third.waitUntilExit()
            }
            var lines = ""
            while !lines.contains("M 9.0 - 8 km E of Fox\n") {
                let more = again.availableData
                try #require(!more.isEmpty, "\(lines)")
                lines += String(decoding: more, as: UTF8.self)
            }
        }
    }

    @Test(
        "Client code that uses internal declarations or mixes up identifier types does not compile",
        arguments: ["identifiers", "mirror-internals", "package-declarations", "two-threads"])
    func refusedCode(name: String) throws {
        let source = Files.project.appending(path: "Tests/ClientPackage/Refused/\(name).swift")
        let expected = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
            .compactMap { line in line.firstRange(of: "// error: ").map { String(line[$0.upperBound...]) } }
        // The C modules that the libraries import themselves.
        let maps = [
            Files.project.appending(path: "Sources/CQuakesSQLite/module.modulemap"),
            products.appending(path: "CQuakes.build/module.modulemap"),
        ]
        // Concurrency errors come after type checking.
        let (status, output) = try run(
            "swiftc",
            ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", products.appending(path: "Modules").path]
                + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [source.path])
        #expect(status != 0 && !expected.isEmpty)
        let errors = output.split(separator: "\n").filter { $0.contains("error: ") && $0.contains("\(name).swift:") }
        #expect(errors.count == expected.count, "\(output)")
        for text in expected { #expect(errors.contains { $0.contains(text) }, "\(text)\n\(output)") }
    }

    /// SwiftPM rejects two packages with targets of the same name: swift-system has a CSystem, sqlite-nio a CSQLite.
    @Test("The name of every library target begins with Quake or CQuake") func targetNames() throws {
        struct Manifest: Decodable {
            struct Target: Decodable {
                let name: String
                let type: String
            }
            let targets: [Target]
        }
        let output = try run("swift", ["package", "--package-path", Files.project.path, "dump-package"]).output
        let manifest = output.drop { $0 != "{" }
        let names = try JSONDecoder().decode(Manifest.self, from: Data(manifest.utf8)).targets
            .filter { ["regular", "system"].contains($0.type) }.map(\.name)
        #expect(names.contains("QuakeStore"))
        for name in names { #expect(name.contains(/^C?Quake/), "\(name)") }
    }

    @Test("A package that depends on the quakes libraries does not fetch swift-argument-parser") func dependencies()
        throws
    {
        let package = Files.project.appending(path: "Tests/ClientPackage").path
        let (status, output) = try run("swift", ["package", "--package-path", package, "show-dependencies"])
        #expect(status == 0 && output.contains(Files.project.path), "\(output)")
        #expect(!output.contains("swift-argument-parser"), "\(output)")
    }

    @Test("A package cannot depend on the internal target QuakeCommands as a product")
    func unsupportedProducts() async throws {
        try await withFolder { folder in
            let sources = folder.appending(path: "Sources/App")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data("print(1)\n".utf8).write(to: sources.appending(path: "main.swift"))
            let manifest = """
                // swift-tools-version: 6.2
                import PackageDescription
                let package = Package(
                    name: "app", dependencies: [.package(name: "quakes", path: "\(Files.project.path)")],
                    targets: [
                        .executableTarget(name: "App", dependencies: [.product(name: "QuakeCommands", package: "quakes")])
                    ])
                """
            try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
            let (status, output) = try run("swift", ["build", "--package-path", folder.path])
            #expect(status != 0 && output.contains("product 'QuakeCommands' required by package 'client-"), "\(output)")
        }
    }
}
