import Foundation
import QuakeFormats
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

/// The library writes the bytes that the program writes.
@Suite("Formats of the library", .computing, .scratch) struct LibraryFormatTests {
    @Test("QuakeOutput writes what quakes list prints of the same cache", arguments: QuakeFormat.allCases)
    func quakes(format: QuakeFormat) throws {
        let cache = try ListedCache(in: .ofTest())
        let printed = try cache.list(["--format", format.rawValue])
        let metadata = format == .geojson ? try Metadata(of: printed) : nil
        var written = Data()
        let output = QuakeOutput(format, title: metadata?.title, generated: metadata?.generated) { written += $0 }
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        try context.enumerate { try output.append($0.quake, solutions: context.solutions(ofKey: $0.key)) }
        try output.end()
        #expect(written.count > 100_000 && written == Data(printed.utf8))
    }

    @Test("QuakeOutput writes the properties that quakes list --fields prints", arguments: QuakeFormat.allCases)
    func someProperties(format: QuakeFormat) throws {
        guard format != .quakeml else { return }
        let cache = try ListedCache(in: .ofTest())
        let properties: [QuakeProperty] = [.place, .extra, .id, .ids, .felt]
        let fields = properties.map(\.rawValue).joined(separator: ",")
        let printed = try cache.list(["--format", format.rawValue, "--fields", fields])
        let metadata = format == .geojson ? try Metadata(of: printed) : nil
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let written = format.data(
            try context.fetch().map(\.quake), properties: properties, title: metadata?.title,
            generated: metadata?.generated)
        #expect(written == Data(printed.utf8))
    }

    @Test("ChangeOutput writes what quakes changes prints of the same cache", arguments: ChangeFormat.allCases)
    func changes(format: ChangeFormat) throws {
        let cache = try MappedCache.ofTest()
        let context = try cache.context()
        let other = "q1.0000000000000.1.00000000"
        for (options, descriptor) in [
            ([], HistoryDescriptor(start: .oldest)),
            (["--since-token", other], HistoryDescriptor(after: HistoryToken(other))),
        ] {
            let printed = try cache.run(["changes", "--format", format.rawValue] + options).output
            var written = Data()
            let output = ChangeOutput(format) { written += $0 }
            try context.history.fetch(descriptor) { try output.append($0) }
            try output.end()
            #expect(!written.isEmpty && written == Data(printed.utf8), "\(options)")
        }
    }
}

/// What only the command knows of a GeoJSON document.
private struct Metadata {
    let title: String?
    let generated: Timestamp?

    init(of document: String) throws {
        let collection = try #require(try parsedJSON(document) as? [String: Any])
        let metadata = try #require(collection["metadata"] as? [String: Any])
        title = metadata["title"] as? String
        generated = (metadata["generated"] as? Int64).map(Timestamp.init(milliseconds:))
    }
}
