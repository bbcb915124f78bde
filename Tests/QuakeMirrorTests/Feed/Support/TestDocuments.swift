import Foundation
import QuakeTestSupport

@testable import QuakeMirror

/// Documents that are whole, with whatever features.
enum TestDocuments {
    /// Every document of Fixtures that a snapshot can be made of, by path.
    static func fixtures() throws -> [(path: String, snapshot: FeedSnapshot)] {
        try fixturePaths().compactMap { path in
            try? (path, FeedSnapshot(Fixture.data(path), source: path))
        }
    }

    /// Every document of Fixtures, also those that are none.
    static func fixturePaths() throws -> [String] {
        let folders = ["feeds", "malformed"] + (try Fixture.names(in: "stories")).map { "stories/\($0)" }
        return try folders.flatMap { folder in
            try Fixture.names(in: folder).filter { $0.hasSuffix(".geojson") }.map { "\(folder)/\($0)" }
        }
    }

    /// A snapshot of the features of all fixtures together, good and bad ones mixed, `copies` times: more than the
    /// decoder takes in one piece.
    static func mixture(copies: Int) throws -> FeedSnapshot {
        let features = try fixtures().flatMap { document in
            document.snapshot.features.map { Data(document.snapshot.body[$0.range]) }
        }
        return try snapshot(of: Array(repeating: features, count: copies).flatMap { $0 })
    }

    /// A snapshot of a document that holds `features` as they are.
    static func snapshot(of features: [Data]) throws -> FeedSnapshot {
        var body = Data(#"{"type":"FeatureCollection","features":["#.utf8)
        body.append(contentsOf: features.joined(separator: Data(",\n".utf8)))
        body.append(contentsOf: "]}".utf8)
        return try FeedSnapshot(body, source: "test")
    }
}
