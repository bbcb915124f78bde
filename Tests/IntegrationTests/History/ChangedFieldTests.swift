import Foundation
import QuakeTestSupport
import Testing

@Suite("Changes of certain fields", .scratch) struct ChangedFieldTests {
    private let cache: Cache

    /// Reads two real weeks, whose documents have 3,098 and 3,280 quakes.
    init() async throws {
        cache = try .ofTest()
        try await cache.refreshWeeks("20T1423Z", "22T2039Z")
    }

    @Test("quakes changes --changed mag selects the 125 magnitude revisions between two real feeds", .needsRealData)
    func changedMagnitudes() async throws {
        let records = try await cache.records("changes", "--changed", "mag", "--format", "ndjson")
        #expect(records.count == 126 && records.dropLast().allSatisfy { $0["op"].text == "update" })
        let named = ["changes", "--changed", "mag", "--op", "insert,update", "--format", "ndjson"]
        #expect(try await cache.quakes.run(named).output.split(separator: "\n").count == 4438 + 125 + 1)
        // A quake that comes into view or leaves it is also an update, never a new quake.
        let crossing = try await cache.records("changes", "--changed", "mag", "--min-mag", "2.5", "--format", "ndjson")
        #expect(Set(crossing.dropLast().map { $0["op"].text }) == ["update", "enter", "leave"])
    }

    @Test("quakes changes --changed mag+0.3 selects magnitudes that rose by at least 0.3", .needsRealData)
    func changedByAmount() async throws {
        func lines(_ options: String...) async throws -> [[Double]] {
            try await cache.quakes.run(
                ["changes", "--op", "update", "--template", "{before.mag:raw} {mag:raw}"] + options
            ).output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
        }
        let all = try await lines("--changed", "mag")
        for (step, sign) in [("mag+0.3", 1.0), ("mag-0.3", -1.0)] {
            let wanted = all.filter { $0.count == 2 && sign * ($0[1] - $0[0]) > 0.299_999 }
            #expect(try await lines("--changed", step) == wanted && !wanted.isEmpty)
        }
        let both = try await lines("--changed", "mag+0.3,mag-0.3")
        #expect(both == all.filter { $0.count == 2 && abs($0[1] - $0[0]) > 0.299_999 })
        // The magnitude of a quake coming into view went up, that of one leaving it down.
        let words = try await cache.output(
            "changes", "--changed", "mag+0.1", "--min-mag", "2.5", "--template", "{what}")
        #expect(words.contains("entered") && !words.contains("left"))
        for wrong in ["mag+", "mag+0", "mag-.", "depth+1"] {
            #expect(try await cache.run("changes", "--changed", wrong).exitStatus == 64, "\(wrong)")
        }
    }

    @Test("quakes changes --op selects changes by any word that the WHAT column of its table shows", .needsRealData)
    func wordsOfWhatColumn() async throws {
        try await cache.output("purge", "--min-mag", "6")
        func words(_ options: String...) async throws -> [String] {
            try await cache.quakes.run(
                ["changes", "--min-mag", "2.5", "--template", "{what}"] + options
            ).output.split(separator: "\n").map(String.init)
        }
        let all = try await words()
        let found = Set(all)
        #expect(found.isSuperset(of: ["new", "revised", "renamed", "purged", "entered", "left"]), "\(found)")
        for word in found {
            let wanted = word == "new" ? ["new", "late"] : [word]
            #expect(try await words("--op", word) == all.filter(wanted.contains), "\(word)")
        }
        for (list, wanted) in [
            ("insert,renamed", ["new", "late", "renamed"]), ("renamed,update", ["revised", "renamed"]),
        ] { #expect(try await words("--op", list) == all.filter(wanted.contains), "\(list)") }
        let diff = try await cache.output("diff", "1", "2", "--min-mag", "2.5", "--op", "renamed", "--count")
        #expect(Int(diff.dropLast()) == all.count { $0 == "renamed" })
    }

    @Test("A --template prints old and new values with enough digits to tell them apart", .needsRealData)
    func templatePrecision() async throws {
        for field in ["mag", "depth", "time"] {
            let template = "{before.\(field)} → {\(field)}"
            let lines = try await cache.output("changes", "--changed", field, "--template", template)
                .split(separator: "\n").map { $0.split(separator: " → ") }
            #expect(lines.count > 100 && lines.allSatisfy { $0.count == 2 && $0[0] != $0[1] }, "\(field)")
        }
        let magnitudes = try await cache.output(
            "changes", "--changed", "mag", "--template", "{id} {before.mag} → {mag}")
        for line in ["ci39747063 1.2 → 1.3", "ci39747095 1.08 → 1.09"] {
            #expect(magnitudes.contains(line + "\n"))
        }
        // Without the old value, a magnitude is rounded as usual.
        let plain = try await cache.output("changes", "--changed", "mag", "--template", "{mag}")
        #expect(plain.split(separator: "\n").allSatisfy { $0.contains(/^-?\d\.\d$/) })
    }

    @Test("quakes purge --dry-run lists the newest 20 quakes it would delete, and the total number", .needsRealData)
    func purgePreview() async throws {
        let many = try await cache.output("purge", "--max-mag", "1", "--dry-run").split(separator: "\n")
        let count = try #require(Int(try await cache.output("list", "--max-mag", "1", "--count").dropLast()))
        let newest = try await cache.output("list", "--max-mag", "1", "--limit", "20").split(separator: "\n")
        #expect(Array(many.prefix(21)) == newest && many.count == 23)
        #expect(many[21] == "… and \((count - 20).formatted(.number.locale(Locale(identifier: "en_US")))) more")
        #expect(many[22].hasPrefix("would delete ") && many[22].hasSuffix(" quakes"))
        let few = try await cache.output("purge", "--min-mag", "6", "--dry-run").split(separator: "\n")
        let listed = try await cache.output("list", "--min-mag", "6").split(separator: "\n")
        #expect(Array(few.dropLast()) == listed && few.last == "would delete \(listed.count - 1) quakes")
        let report = try await cache.json("purge", "--min-mag", "6", "--dry-run", "--format", "json")
        #expect(report["quakes"].integer == listed.count - 1)
    }
}
