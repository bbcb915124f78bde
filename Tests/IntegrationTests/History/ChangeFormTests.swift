import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Every form of the history says the same about a change.
@Suite("A change in every output", .scratch) struct ChangeFormTests {
    @Test("quakes changes, history and show print the same changes as the SQLite view changes_v1")
    func outputsAgree() async throws {
        let cache = try Cache.ofTest()
        for feed in ["all_day-1", "all_day-2"] { try await cache.refresh(feed) }
        try await cache.output("purge", "--max-mag", "1")
        try await cache.output("undo")
        try await cache.output("purge", "--min-mag", "6")

        let changes = try await cache.records("changes", "--format", "ndjson").filter { $0["kind"].text == "change" }
        #expect(Set(changes.compactMap { $0["op"].text }) == ["insert", "update", "delete", "undo"])
        for change in changes where change["op"].text != "update" {
            let (whole, none) = change["op"].text == "delete" ? ("before", "after") : ("after", "before")
            #expect(change[whole] == change["values"] && change[none].isNull)
        }
        let expected = ChangeForm.byID(changes.map { ChangeForm($0, $0["transaction"]["context"]) })
        #expect(expected.count == changes.count)

        var found = ["changes --format csv": ChangeForm.of(csv: try await cache.output("changes", "--format", "csv"))]
        for number in 1...5 {
            let transaction = try await cache.json("history", "\(number)", "--format", "json")
            found["history --format json", default: []] +=
                transaction["changes"].elements.map { ChangeForm($0, transaction["context"]) }
            found["history --format csv", default: []] +=
                ChangeForm.of(csv: try await cache.output("history", "\(number)", "--format", "csv"))
        }
        for quake in Set(changes.compactMap { $0["values"]["id"].text }) {
            let details = try await cache.json("show", quake, "--format", "json")
            found["show", default: []] += details["history"].elements.map { change in
                var form = ChangeForm(change, change["context"])
                // Elements of `history` do not repeat the quake.
                (form.quake, form.id) = (details["quake"].integer, expected[form.changeID]?.id)
                return form
            }
        }
        let rows = try SQLiteFile(path: cache.path).rows("SELECT * FROM changes_v1")
        found["changes_v1"] = try rows.map { try ChangeForm($0) }
        for (name, forms) in found {
            let forms = ChangeForm.byID(forms)
            #expect(Set(forms.keys) == Set(expected.keys), "\(name)")
            for (id, form) in expected { #expect(forms[id] == form, "\(name)") }
        }
    }

    @Test("quakes diff --template writes the lines of quakes changes --coalesce --template") func netTemplate()
        async throws
    {
        let cache = try Cache.ofTest()
        for feed in ["all_day-1", "all_day-2"] { try await cache.refresh(feed) }
        let template = "{op} {what} {id}: {before.mag:raw} → {mag:raw}, change {change_id} [{token}] {differences}"
        for start in ["beginning", "1"] {
            let option = start == "1" ? ["--since-transaction", "1"] : ["--since-token", start]
            let changes = ["changes", "--coalesce", "--template", template] + option
            let diff = try await cache.output("diff", start, "--template", template)
            #expect(try await cache.quakes.run(changes).output == diff)
            #expect(diff.split(separator: "\n").count == (start == "1" ? 9 : 28) && !diff.contains("token"), "\(diff)")
        }
    }

    @Test("A table that quakes changes --exec passes on names the quake that another was merged into")
    func survivorForCommand() async throws {
        let cache = try Cache.ofTest()
        try cache.insert(0..<2)
        try cache.edit { writer in
            let key = try writer.target(ofID: "us700")
            guard case .live(let merged)? = key, let known = try writer.knownQuake(merged) else { return }
            _ = try writer.delete(known.stored, reason: .merged, mergedInto: QuakeKey(2))
        }
        let file = try ScratchDirectory.ofTest().path("table.txt")
        try await cache.output("changes", "--format", "table", "--exec", "cat > '\(file)'")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("into us701"))
    }
}

/// What a form of the history says about a change.
private struct ChangeForm: Hashable {
    let changeID: Int
    let op, reason, context: String?
    var id: String?
    var quake: Int?
    /// The magnitudes before and after the change, unless it is an update of other values.
    let before, after: Double?

    init(_ change: JSONValue, _ context: JSONValue) {
        changeID = change["change_id"].integer ?? 0
        (op, reason, self.context) = (change["op"].text, change["reason"].text, context.text)
        (id, quake) = (change["id"].text, change["quake"].integer)
        (before, after) = (change["before"]["mag"].number, change["after"]["mag"].number)
    }

    init(_ row: [String: SQLiteFile.Value]) throws {
        func magnitude(_ side: String) throws -> Double? {
            try row[side]?.text.flatMap { try JSONValue(Data($0.utf8))["mag"].number }
        }
        changeID = Int(row["change_id"]?.integer ?? 0)
        (op, reason, context) = (row["op"]?.text, row["reason"]?.text, row["context"]?.text)
        (id, quake) = (row["id"]?.text, (row["quake"]?.integer).map { Int($0) })
        (before, after) = (try magnitude("before"), try magnitude("after"))
    }

    private init(cells: [String: String]) {
        changeID = cells["change_id"].flatMap { Int($0) } ?? 0
        (op, reason, context) = (cells["op"], cells["reason"], cells["context"])
        (id, quake) = (cells["id"], cells["quake"].flatMap { Int($0) })
        let isOfMagnitude = op != "update" || cells["changed"]?.split(separator: " ").contains("mag") == true
        func magnitude(_ name: String) -> Double? { isOfMagnitude ? cells[name].flatMap { Double($0) } : nil }
        (before, after) = (magnitude("mag_before"), magnitude("mag_after"))
    }

    /// The rows of `text`. Only columns after the magnitudes contain commas.
    static func of(csv text: String) -> [ChangeForm] {
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { cells in
            ChangeForm(cells: Dictionary(zip(lines[0], cells)) { first, _ in first })
        }
    }

    static func byID(_ forms: [ChangeForm]) -> [Int: ChangeForm] {
        Dictionary(forms.map { ($0.changeID, $0) }) { first, _ in first }
    }
}
