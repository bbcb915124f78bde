import Foundation
import QuakeStore
import Testing

/// A folder that is there for one test.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// A new, empty cache that is there for one test, and a context of it.
func withCache<Result>(
    author: String = "org.example.app", _ body: (QuakeCache, QuakeContext) async throws -> Result
) async throws -> Result {
    try await withFolder { folder in
        let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
        return try await body(cache, try cache.context(author: author, access: .creating))
    }
}

/// Files beside this package.
enum Files {
    /// The folder of `quakes` itself.
    static let project = (0..<6).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// A feed that comes with `quakes`: invented quakes.
    static func feed(_ name: String) -> URL { project.appending(path: "Fixtures/feeds/\(name).geojson") }
}

extension Quake {
    /// An invented quake of the network `us`.
    static func invented(_ code: String, net: String = "us", magnitude: Double = 4, place: String = "8 km E of Fox")
        -> Quake
    {
        var quake = Quake(
            net: net, code: code, originTime: Timestamp(milliseconds: 1_700_000_000_000),
            updated: Timestamp(milliseconds: 1_700_000_060_000),
            hypocenter: Hypocenter(longitude: -155.29, latitude: 19.42, depthKilometers: 4))
        quake.magnitude = magnitude
        quake.place = place
        return quake
    }

    /// The same quake with another magnitude.
    func with(magnitude: Double) -> Quake {
        var copy = self
        copy.magnitude = magnitude
        return copy
    }
}
