public import Foundation
public import Testing

/// Feeds as published by USGS. They are not part of the project: `$QUAKES_REAL_DATA` names their directory; by default
/// it is `../shared/usgs`, beside the project.
public enum RealData {
    /// The directory of the data; nil if there is none.
    public static let directory: URL? = {
        let named = ProcessInfo.processInfo.environment["QUAKES_REAL_DATA"].map { URL(filePath: $0) }
        let directory = named ?? Fixture.projectDirectory.deletingLastPathComponent().appending(path: "shared/usgs")
        return FileManager.default.fileExists(atPath: directory.path) ? directory : nil
    }()

    /// Whether the data is present.
    public static var isPresent: Bool { directory != nil }

    /// Returns the address of the file at `path` below the directory.
    public static func url(_ path: String) throws -> URL {
        guard let directory else { throw CocoaError(.fileNoSuchFile) }
        return directory.appending(path: path)
    }

    /// The bytes of the file at `path`.
    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

    /// Returns the decompressed contents of the gzip file at `path`.
    public static func unzipped(_ path: String) throws -> Data { try Gzip.output("-dc", url(path).path) }

    /// The paths of the 300 snapshots of the Caribbean from three months, in order.
    public static var caribbean: [String] { get throws { try snapshots(ofSeries: "series/caribbean-2025-jul-sep") } }

    /// Returns the paths of the snapshots in the series at `path`, in order.
    public static func snapshots(ofSeries path: String) throws -> [String] {
        let directory = try url(path)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".geojson") }.sorted().map { directory.appending(path: $0).path }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, with a message, if the real data is missing.
    public static var needsRealData: Self {
        .enabled(if: RealData.isPresent, "needs real USGS data: set QUAKES_REAL_DATA to its directory")
    }
}
