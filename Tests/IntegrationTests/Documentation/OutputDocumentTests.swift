import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

/// Documentation/output.md and the program's actual output have exactly the same fields.
@Suite("output.md and the real output", .endsInTime, .scratch) struct OutputDocumentTests {
    @Test("Each JSON record that quakes prints has exactly the members documented in output.md") func recordMembers()
        async throws
    {
        let document = try OutputDocument()
        let directory = try ScratchDirectory.ofTest()
        var shapes: [String: RecordShape] = [:]
        for record in try await RealOutput(in: directory).records {
            shapes[record.kind, default: document.shape(of: record.kind)].take(record.object)
        }
        for (kind, shape) in shapes {
            #expect(shape.faults == [], "\(kind)")
            #expect(shape.members.subtracting(shape.seen) == [], "\(kind): these were never written")
        }
        #expect(
            Set(shapes.keys).union(["change columns", "metrics", "local time"])
                == Set(document.fields.keys))
    }

    @Test(
        "CSV and TSV columns are in the order documented in output.md",
        arguments: [
            ("list", "quake"), ("changes --fields mag", "change columns"),
            ("diff beginning --fields mag", "change columns"), ("history", "transaction"), ("consumers", "consumer"),
            ("list --tz UTC --fields local_time", "local time"), ("show us7000zzay", "quake"),
            ("summary --by day", "summary by day"),
        ])
    func columnOrder(call: String, table: String) async throws {
        let documented = try #require(try OutputDocument().fields[table])
        let directory = try ScratchDirectory.ofTest()
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        _ = try await runner.run("changes", "--consumer", "c", "--ack", "now")
        let isReport = ["history", "consumers", "show", "summary"].contains { call.hasPrefix($0) }
        for (format, separator) in [("csv", ","), ("tsv", "\t")] where format == "csv" || !isReport {
            let words = call.split(separator: " ").map(String.init) + ["--format", format]
            let header = try await runner.run(words).output.prefix { $0 != "\n" }
            #expect(header == documented.map { $0.replacing("FIELD", with: "mag") }.joined(separator: separator))
        }
    }

    @Test("output.md lists every value of each enumerated field") func enumeratedValues() throws {
        let items = try OutputDocument().items
        let named: [(field: String, values: [String])] = [
            ("check", VerificationReport.Check.allCases.map(\.rawValue)),
            ("kind", UnconfirmedChange.Kind.allCases.map(\.rawValue)),
            ("absences_ignored_because", RefreshReport.Suspicion.allCases.map(\.rawValue)),
            ("source", CoveredRange.Source.allCases.map(\.rawValue)),
            ("op", ChangeKind.allCases.map(\.rawValue)), ("reason", ChangeReason.allCases.map(\.rawValue)),
            ("timeliness", Timeliness.allCases.map(\.rawValue)),
        ]
        for (field, values) in named {
            let texts = items.filter { $0.names == [field] }.map(\.text)
            #expect(texts.contains { text in values.allSatisfy { text.contains("`\($0)`") } }, "\(field): \(values)")
        }
    }

    @Test("output.md lists exactly the columns of each SQLite view, in the same order") func viewColumns() async throws
    {
        let cache = try await Cache.ofDay()
        let file = try SQLiteFile(path: cache.path)
        let views = try file.rows("SELECT name AS text FROM sqlite_schema WHERE type = 'view' ORDER BY name")
            .compactMap { $0["text"]?.text }
        let quake = try OutputDocument().fields["quake"] ?? []
        var documented: [String: [String]] = [:]
        for row in try Document("Documentation/output.md").tableRows where row.count == 2 && row[0].contains("_v1`") {
            let view = try #require(row[0].split(separator: "`").first)
            documented[String(view)] = row[1].matches(of: /`(\w+)`|#quake/)
                .flatMap { match in match.output.1.map { [String($0)] } ?? quake }
        }
        #expect(documented.keys.sorted() == views)
        for view in views {
            let columns = try file.rows("SELECT name AS text FROM pragma_table_info('\(view)') ORDER BY cid")
            #expect(documented[view] == columns.compactMap { $0["text"]?.text })
        }
    }
}
