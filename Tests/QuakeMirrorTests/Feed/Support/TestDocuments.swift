import Foundation
import QuakeTestSupport

@testable import QuakeMirror

/// Complete documents with arbitrary features.
enum TestDocuments {
    /// Every document in Fixtures that can be read as a snapshot, by path.
    static func fixtures() throws -> [(path: String, snapshot: FeedSnapshot)] {
        try fixturePaths().compactMap { path in try? (path, FeedSnapshot(Fixture.data(path), source: path)) }
    }

    /// Every document in Fixtures, even those that cannot be read.
    static func fixturePaths() throws -> [String] {
        let folders = ["feeds", "malformed"] + (try Fixture.names(in: "stories")).map { "stories/\($0)" }
        return try folders.flatMap { folder in
            try Fixture.names(in: folder).filter { $0.hasSuffix(".geojson") }.map { "\(folder)/\($0)" }
        }
    }

    /// A snapshot of the features of all fixtures together, good and bad ones mixed, `copies` times: more than the
    /// decoder takes in one chunk.
    static func mixture(copies: Int) throws -> FeedSnapshot {
        let features = try fixtures().flatMap { document in
            document.snapshot.features.map { Data(document.snapshot.body[$0.range]) }
        }
        return try snapshot(of: Array(repeating: features, count: copies).flatMap { $0 })
    }

    /// A snapshot of a document that contains `features` unchanged.
    static func snapshot(of features: [Data]) throws -> FeedSnapshot {
        var body = Data(#"{"type":"FeatureCollection","features":["#.utf8)
        body.append(contentsOf: features.joined(separator: Data(",\n".utf8)))
        body.append(contentsOf: "]}".utf8)
        return try FeedSnapshot(body, source: "test")
    }
}
