import Foundation
import QuakeMirror
import QuakeHTTP
import QuakeModel
import QuakeStore

/// A cache in a folder of its own that holds the month feed.
final class MonthCache {
    let path: String
    let context: QuakeContext
    private let mirror: FeedMirror
    private let folder: URL

    init(_ month: MonthFeed) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "quakes-micro-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "quakes.db").path
        context = try QuakeCache(path: path).context(access: .creating)
        mirror = FeedMirror(QuakeCache(path: path), transport: Nobody())
        _ = try mirror.session { try $0.refresh(.file(month.first.path)) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Finds out what a refresh from `document` changes, and leaves the cache as it was.
    func rehearse(_ document: MonthFeed.Document) throws -> RefreshReport {
        try mirror.session(dryRun: true) { try $0.refresh(.file(document.path)) }
    }
}

/// A transport for those who ask nobody.
private struct Nobody: HTTPTransport {
    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        throw .cannotConnect(host: "nobody", cause: "files only")
    }
}
