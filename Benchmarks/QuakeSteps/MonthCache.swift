import Foundation
public import QuakeMirror
import QuakeHTTP
public import QuakeStore

/// A cache in a folder of its own, filled from a feed.
public final class MonthCache {
    public let path: String
    public let context: QuakeContext
    private let mirror: FeedMirror
    private let folder: URL

    public init(from feed: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "quakes-micro-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "quakes.db").path
        context = try QuakeContext(QuakeCache(path: path), access: .creating)
        mirror = FeedMirror(QuakeCache(path: path), transport: Nobody())
        _ = try mirror.session { try $0.refresh(.file(feed)) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Finds out what a refresh from `document` changes, and leaves the cache as it was.
    public func rehearse(_ document: String) throws -> RefreshReport {
        try mirror.session(dryRun: true) { try $0.refresh(.file(document)) }
    }
}

/// A transport for those who ask nobody.
private struct Nobody: HTTPTransport {
    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        throw TransportError(.unusableResponse, "Only files are read.")
    }
}
