import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("The file of --output", .endsInTime, .scratch) struct OutputFileTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    private var directory: ScratchDirectory { cache.directory }

    /// Every command with --output, and the extensions of its formats.
    private static let commands: [([String], String)] = [
        (["list"], "txt csv tsv json ndjson jsonl geojson xml"), (["show", "us200"], "txt csv json ndjson xml"),
        (["map"], "txt svg html htm"), (["summary"], "txt csv json"), (["changes"], "txt csv tsv json ndjson"),
        (["diff", "beginning"], "txt csv tsv json ndjson"), (["history"], "txt csv json"), (["history", "1"], "csv"),
        (["status"], "txt json prom"),
    ]

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: directory.path(name))), as: UTF8.self)
    }

    /// The names of the files beside the cache.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            .filter { !$0.hasPrefix("quakes.db") }.sorted()
    }

    @Test(
        "The extension of the file sets the format, and the file has what the command prints", arguments: commands)
    func extensions(words: [String], extensions: String) throws {
        for name in extensions.split(separator: " ") {
            let formats = try #require(FileExtension.table.first { $0.key == "." + name }?.value)
            let printed = formats.lazy.compactMap { try? cache.run(words + ["--format", $0]) }
                .first { $0.status == .success }
            try directory.write(Data("old".utf8), to: "out.\(name)")
            // Neither a terminal nor its locale affects the file.
            let terminal = words == ["map"] ? nil : (50, 20)
            let written = try cache.run(
                words + ["-o", directory.path("out.\(name)")], terminal: terminal, variables: ["LC_ALL": "C"])
            #expect(written.status == .success && written.output.isEmpty, "\(name): \(written.errors)")
            if terminal != nil {
                let report = /quakes: wrote out\.\S+, [0-9.]+ (bytes|KiB)(, 3 quakes)?\n/
                #expect(written.errors.contains(report), "\(written.errors)")
            }
            #expect(try text("out.\(name)") == printed?.output, "\(words) \(name)")
        }
    }

    @Test("The commands that have --output are those that print a document")
    func commandsWithOutput() throws {
        let words = Set(Self.commands.compactMap(\.0.first))
        for type in QuakesCommand.configuration.subcommands {
            let name = try #require(type.configuration.commandName)
            #expect(
                try CommandDescription(type).arguments.contains { $0.name == "--output" } == words.contains(name),
                "\(name)")
        }
    }

    @Test("The table of extensions in commands.md lists each extension and the formats that fit it")
    func documentedExtensions() throws {
        let page = Fixture.projectDirectory.appending(path: "Documentation/commands.md")
        var rows: [String: [String]] = [:]
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") where line.hasPrefix("| `.") {
            let cells = line.split(separator: "|").map { cell in
                cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            }
            for ending in cells[0] { rows[ending] = cells[1] }
        }
        let table = Dictionary(uniqueKeysWithValues: FileExtension.table.map { ($0.key, $0.value) })
        #expect(rows == table)
    }

    @Test(
        "An unknown extension is refused with those of the command, unless an option says what to print",
        arguments: [
            ("list", "out.doc", ".txt, .csv, .tsv, .json, .ndjson, .jsonl, .geojson or .xml"),
            ("list", "out", ".geojson or .xml"), ("list", "dir.csv/out", ".geojson or .xml"),
            ("summary", "out.geojson", ".txt, .csv or .json"), ("map", "out.csv", ".txt, .html, .htm or .svg"),
            ("history", "out.png", ".txt, .csv or .json"), ("status", "out.gpkg", ".txt, .json or .prom"),
        ])
    func unknownExtension(command: String, name: String, known: String) throws {
        let message = try usage([command, "-o", name])
        #expect(message.hasPrefix("quakes: --output must end in ") || message.contains(" must end in "), "\(message)")
        #expect(message.contains("\(known), unless --format is given."), "\(message)")
    }

    @Test("A template, a count, ids or an explicit format go to a file with any extension") func freeform() throws {
        let lines: [([String], String)] = [
            (["list", "--ids"], "ids.doc"), (["list", "--count"], "n"), (["list", "--template", "{id}"], "out.csv"),
            (["changes", "--count"], "out.xlsx"), (["changes", "--template", "{id}"], "out.xml"),
            (["diff", "beginning", "--count"], "n.svg"), (["list", "--format", "csv"], "out.data"),
            (["list", "--format", "csv-excel"], "out.csv"), (["list", "--format", "geojson"], "out.json"),
            (["map", "--format", "svg"], "map"), (["status", "--format", "prometheus"], "metrics"),
        ]
        for (words, name) in lines {
            let printed = try cache.run(words)
            let written = try cache.run(words + ["-o", directory.path(name)])
            #expect(written.status == .success && written.output.isEmpty, "\(words): \(written.errors)")
            #expect(try text(name) == printed.output, "\(words)")
        }
    }

    @Test(
        "A format that does not match the extension is refused with what to write",
        arguments: [
            ("list -f csv -o out.json", "--format csv does not match the extension .json; use .csv or --format json."),
            ("list -f csv -o OUT.TSV", "--format csv does not match the extension .tsv; use .csv or --format tsv."),
            ("list -f csv -o OUT.HTML", "--output cannot end in .html. `quakes map` writes pages and pictures."),
            (
                "show us200 us1 -o x.json",
                "Each quake is a JSON document of its own, so several need the extension .ndjson."
            ),
            (
                "show us200 -f text -o x.csv",
                "--format text does not match the extension .csv; use .txt or --format csv."
            ),
            ("map -f html -o map.svg", "--format html does not match the extension .svg; use .html or --format svg."),
            (
                "status -f prometheus -o a.txt",
                "--format prometheus does not match the extension .txt; use .prom or --format text."
            ),
        ])
    func misfits(line: String, text: String) throws {
        #expect(try usage(line.split(separator: " ").map(String.init)) == "quakes: " + text)
    }

    @Test(
        "An extension of another program's format names that program and the command that converts",
        arguments: [
            ("map -o a.png", "Write a .svg file and convert it: `rsvg-convert -o a.png a.svg`."),
            ("list -o a.gpkg", "Write a .geojson file and convert it: `ogr2ogr a.gpkg a.geojson`."),
            ("list -o A.SHP", "Write a .geojson file and convert it: `ogr2ogr A.SHP A.geojson`."),
            ("list -o a.xlsx", "Excel imports .csv files (Data, From Text/CSV)."),
        ])
    func conversions(line: String, hint: String) throws {
        let message = try usage(line.split(separator: " ").map(String.init))
        #expect(message.hasPrefix("quakes: --output cannot end in ") && message.hasSuffix(". " + hint), "\(message)")
        #expect(!message.contains(">"))
    }

    /// Returns the message about the command line `words`.
    private func usage(_ words: [String]) throws -> String {
        let error = try #require(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        return UsageMessage.text(for: error, in: words)
    }

    @Test("--output refuses -, and cannot be combined with options that print nothing or go on")
    func combinations() throws {
        #expect(try usage(["list", "-o", "-", "-f", "csv"]).hasSuffix("for a file named -, write ./-."))
        for options in [["--follow"], ["--exec", "cat"], ["--exec-each", "cat"], ["--ack", "now"]] {
            #expect(try usage(["changes", "-o", "a.csv"] + options).contains("--output cannot be combined with "))
        }
        #expect(try usage(["status", "--forget", "x", "-o", "a.json"]).contains(" or --output."))
    }

    @Test("Status 4 of --fail-empty and 5 of --max-age replace the file; a failed command keeps it")
    func statuses() throws {
        let file = try directory.write(Data("old".utf8), to: "out.json")
        for words in [
            ["show", "us200", "us1", "--versions"], ["list", "--at", "2020-01-01"], ["map", "--select", "us1"],
        ] {
            let options = words[0] == "map" ? ["-f", "svg", "-o", directory.path("out.data")] : ["-o", file]
            #expect(try cache.run(words + options).status != .success)
            #expect(try text("out.json") == "old" && names() == ["out.json"], "\(words)")
        }
        #expect(try cache.run("list", "--min-mag", "9", "--fail-empty", "-o", file).status == .noRows)
        #expect(try text("out.json") == "[]\n")
        #expect(try cache.run("status", "--max-age", "0s", "-o", file).status == .stale)
        #expect(try text("out.json").hasPrefix("{"))
    }

    @Test("No command writes its file through a link, over a directory or into a missing folder", arguments: commands)
    func unwritableFiles(words: [String], extensions: String) throws {
        let ending = try #require(extensions.split(separator: " ").last)
        let target = try directory.write(Data("old".utf8), to: "target.\(ending)")
        let (link, folder) = (directory.path("link.\(ending)"), directory.path("folder.\(ending)"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let failures = [
            (link, "it is a symbolic link to \(target)"), (folder, "it is a directory"),
            (directory.path("none/out.\(ending)"), "No such file or directory"),
            ("/proc/out.\(ending)", ""),
        ]
        for (path, reason) in failures {
            let outcome = try cache.run(words + ["-o", path])
            #expect(outcome.status == .storageFailure && outcome.output.isEmpty, "\(path)")
            #expect(outcome.errors.hasPrefix("quakes: Cannot write \(path): \(reason)"), "\(outcome.errors)")
        }
        #expect(try text("target.\(ending)") == "old")
        #expect(try names() == ["folder.\(ending)", "link.\(ending)", "target.\(ending)"])
    }

    @Test("A full device is reported with its name, and a pipe is written as a stream") func streams() throws {
        let full = try cache.run("list", "-f", "csv", "-o", "/dev/full")
        #expect(full.status == .storageFailure && full.errors.contains("/dev/full"), "\(full.errors)")
        let pipe = directory.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let written = try cache.run("list", "-f", "csv", "-v", "-o", pipe)
        #expect(written.status == .success && !written.errors.contains("wrote"), "\(written.errors)")
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &bytes, bytes.count)
        #expect(
            try String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == cache.run("list", "-f", "csv").output)
    }

    @Test("changes --output with a position that moves needs a new file; otherwise it replaces the file")
    func newFileOnly() throws {
        let file = try directory.write(Data("old".utf8), to: "out.csv")
        let tokens = directory.path("token")
        let moving = [["--since-token"], ["--consumer", "alarm"], ["--token-file", tokens]]
        for options in moving {
            let refused = try cache.run(["changes"] + options + ["-o", file], terminal: (80, 24))
            #expect(refused.status == .storageFailure, "\(options)")
            #expect(refused.errors.hasPrefix("quakes: \(file) already exists; use a new name"), "\(refused.errors)")
            #expect(try text("out.csv") == "old" && names() == ["out.csv"])
        }
        for options in moving + [["--since-token", "beginning"], ["--since", "1d"]] {
            let unmoved = options.contains("beginning") || options[0] == "--since" ? [] : ["--no-ack"]
            #expect(try cache.run(["changes"] + options + unmoved + ["-o", file]).status == .success, "\(options)")
            #expect(try text("out.csv").contains("us200"))
        }
        for (number, options) in moving.enumerated() {
            let new = "new\(number).ndjson"
            let read = try cache.run(["changes"] + options + ["-o", directory.path(new)], terminal: (80, 24))
            #expect(read.status == .success && read.errors.contains("wrote \(new)"), "\(read.errors)")
            #expect(try text(new).split(separator: "\n").last?.contains("\"end\"") == true)
            #expect(try cache.run(["changes"] + options + ["--count"]).output == "0\n", "\(options)")
        }
    }

    @Test("changes refuses an --output file that is its token file, by any of its names") func tokenFile() throws {
        let tokens = directory.path("token.csv")
        try FileManager.default.createSymbolicLink(atPath: directory.path("here"), withDestinationPath: ".")
        for path in [tokens, directory.path("./token.csv"), directory.path("here/token.csv")] {
            let refused = try cache.run("changes", "--token-file", tokens, "-o", path)
            #expect(refused.status == .usage && refused.errors.contains("cannot be the same file"), "\(refused.errors)")
        }
        #expect(try cache.run("changes", "--token-file", tokens).status == .success)
        let token = try text("token.csv")
        let peek = try cache.run("changes", "--token-file", tokens, "--no-ack", "-o", tokens)
        #expect(peek.status == .usage)
        #expect(try text("token.csv") == token)
    }
}
