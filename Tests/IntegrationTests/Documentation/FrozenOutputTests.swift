import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// The names and types in each format of 1.0, stored in Tests/Frozen/formats-1.0.txt.
///
/// A line stays for the whole major version. `QUAKES_FREEZE=1 make test TESTFLAGS="--filter FrozenOutputTests"` adds
/// the lines of a new version and removes nothing.
@Suite("Output formats frozen since 1.0", .endsInTime, .scratch) struct FrozenOutputTests {
    private static let file = Fixture.projectDirectory.appending(path: "Tests/Frozen/formats-1.0.txt")

    @Test("Each output format keeps the name, position and type of every field of version 1.0") func formats()
        async throws
    {
        let present = try await FormatShapes(in: .ofTest()).lines
        let kept = (try? String(contentsOf: Self.file, encoding: .utf8)).map { FrozenLines($0) } ?? FrozenLines("")
        if ProcessInfo.processInfo.environment["QUAKES_FREEZE"] != nil {
            let text = kept.adding(present).joined(separator: "\n") + "\n"
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(kept.entries.count > 400)
            #expect(kept.missing(in: present) == [])
            #expect(present.filter { !kept.contains($0) } == [], "QUAKES_FREEZE=1 adds what is new")
        }
    }

    @Test("No exit status number of version 1.0 has been removed") func exitStatuses() {
        let kept: Set<Int32> = [0, 1, 3, 4, 5, 64, 65, 66, 69, 74, 75, 78]
        #expect(kept.subtracting(ExitStatus.allCases.map(\.rawValue)) == [])
    }
}

/// The lines of the file: a name and its contents. Types are alternatives; columns may be added.
private struct FrozenLines {
    /// The type or list at the end of each line, by the name before it.
    private(set) var entries: [String: String] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") { insert(String(line)) }
    }

    private mutating func insert(_ line: String) {
        let (name, value) = Self.parts(of: line)
        entries[name] = Self.isType(name) ? Self.union(entries[name] ?? "", value) : value
    }

    private static func parts(of line: String) -> (name: String, value: String) {
        let end = line.lastIndex(of: " ") ?? line.startIndex
        return (String(line[..<end]), String(line[line.index(after: end)...]))
    }

    private static func isType(_ name: String) -> Bool { name.hasPrefix("json ") }

    private static func union(_ left: String, _ right: String) -> String {
        Set((left + "|" + right).split(separator: "|")).sorted().joined(separator: "|")
    }

    /// Whether everything in `line` was frozen.
    func contains(_ line: String) -> Bool {
        let (name, value) = Self.parts(of: line)
        guard let own = entries[name] else { return false }
        return Self.isType(name) ? Self.union(own, value) == own : own == value
    }

    /// The frozen entries that `lines` lacks or changes.
    func missing(in lines: [String]) -> [String] {
        let present = FrozenLines(lines.joined(separator: "\n"))
        return entries.compactMap { name, value in
            guard let found = present.entries[name] else { return "\(name) is gone" }
            if Self.isType(name) {
                return Self.union(value, found) == value ? nil : "\(name) is \(found), not \(value)"
            }
            return found == value || found.hasPrefix(value + ",") ? nil : "\(name) is \(found), not \(value)"
        }.sorted()
    }

    /// Returns these lines with `lines` added.
    func adding(_ lines: [String]) -> [String] {
        var all = self
        for line in lines { all.insert(line) }
        return all.entries.map { "\($0) \($1)" }.sorted()
    }
}

/// The shape of the program's output in every format: paths and types of JSON, columns, XML elements, metrics.
private struct FormatShapes {
    private(set) var lines: [String] = []

    init(in directory: ScratchDirectory) async throws {
        for record in try await RealOutput(in: directory).records { take(record.object, "json \(record.kind)") }
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("frozen.db")])
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        _ = try await runner.run("changes", "--consumer", "c", "--ack", "now")
        for (call, formats) in [
            ("list", ["csv", "tsv"]), ("changes", ["csv", "tsv"]), ("diff beginning", ["csv", "tsv"]),
            ("show us7000zzay", ["csv"]), ("history", ["csv"]), ("history 1", ["csv"]), ("consumers", ["csv"]),
            ("summary", ["csv"]), ("list --near 1,2 --radius 20000", ["csv"]), ("list --tz UTC", ["csv"]),
        ] {
            for format in formats {
                let words = call.split(separator: " ").map(String.init) + ["--format", format]
                let header = try await runner.run(words).output.prefix { $0 != "\n" }
                lines.append("\(format) \(call): \(header.replacing("\t", with: ","))")
            }
        }
        takeElements(try await runner.run("list", "--format", "quakeml").output)
        takeMetrics(try await runner.run("status", "--format", "prometheus").output)
    }

    private mutating func take(_ object: [String: Any], _ place: String) {
        for (name, value) in object {
            let path = "\(place) \(name)"
            lines.append("\(path) \(Self.type(of: value))")
            // A quake's values are the same as in quake records; `extra` is defined by USGS.
            guard !["extra", "values", "before", "after", "properties"].contains(name) else { continue }
            if let inner = value as? [String: Any] { take(inner, path) }
            for case let inner as [String: Any] in value as? [Any] ?? [] { take(inner, path + "[]") }
        }
    }

    private static func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case is [Any]: "array"
        case is [String: Any]: "object"
        // JSON's `true` is not a number, although NSNumber represents it as one.
        case let number as NSNumber: number.objCType.pointee == CChar(UInt8(ascii: "c")) ? "boolean" : "number"
        default: "unknown"
        }
    }

    private mutating func takeElements(_ text: String) {
        var path: [Substring] = []
        for match in text.matches(of: /<(\/?)([A-Za-z:]+)[^>]*?(\/?)>/) {
            if !match.output.1.isEmpty {
                path.removeLast()
            } else {
                lines.append("quakeml \((path + [match.output.2]).joined(separator: "/")) element")
                if match.output.3.isEmpty { path.append(match.output.2) }
            }
        }
    }

    private mutating func takeMetrics(_ text: String) {
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# TYPE (\w+) (\w+)/) {
                lines.append("prometheus \(match.output.1) \(match.output.2)")
            } else if let match = line.prefixMatch(of: /(\w+)\{([^}]*)\}/) {
                let labels = match.output.2.matches(of: /(\w+)="/).map { $0.output.1 }.joined(separator: ",")
                lines.append("prometheus \(match.output.1) labels: \(labels)")
            }
        }
    }
}
