import Foundation
import QuakeStore
import Testing

/// Runs `body` with a folder that exists for one test.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Runs `body` with a new, empty cache that exists for one test, and a context.
func withCache<Result>(
    author: String = "org.example.app", _ body: (QuakeCache, QuakeContext) async throws -> Result
) async throws -> Result {
    try await withFolder { folder in
        let cache = QuakeCache(path: folder.appending(path: "quakes.db").path)
        return try await body(cache, try QuakeContext(cache, author: author, access: .creating))
    }
}

/// Files beside this package.
enum Files {
    /// The root folder of `quakes`.
    static let project = (0..<6).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// Returns a feed of invented quakes included with `quakes`.
    static func feed(_ name: String) -> URL { project.appending(path: "Fixtures/feeds/\(name).geojson") }
}

extension Quake {
    /// Returns an invented quake of the network `us`.
    static func invented(_ code: String, magnitude: Double = 4) -> Quake {
        var quake = Quake(
            net: "us", code: code, originTime: Timestamp(milliseconds: 1_700_000_000_000),
            updated: Timestamp(milliseconds: 1_700_000_060_000),
            hypocenter: Hypocenter(longitude: -155.29, latitude: 19.42, depthKilometers: 4))
        quake.magnitude = magnitude
        quake.place = "8 km E of Fox"
        return quake
    }

    /// Returns the same quake with another magnitude.
    func with(magnitude: Double) -> Quake {
        var copy = self
        copy.magnitude = magnitude
        return copy
    }
}
