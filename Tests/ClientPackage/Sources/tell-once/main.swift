import Foundation
import QuakeDownload

/// `tell-once CACHE [FEED]`: prints each new quake of magnitude 4.5 or more at least once, even across restarts.
let cache = QuakeCache(path: CommandLine.arguments.dropFirst().first ?? "quakes.db")
let source: FeedSource = CommandLine.arguments.dropFirst(2).first.map { .file($0) } ?? .allDay
let consumer = "org.example.tell-once"
let mirror = FeedMirror(cache)
// Quakes in the cache at the first start are old news.
let isFirst = try await cache.write { try $0.history.consumer(named: consumer) == nil }
if isFirst { _ = try await mirror.refresh(source) }
let bookmark = try await cache.write { context in
    if isFirst { try context.history.acknowledge(context.history.currentToken(), for: consumer) }
    return try context.history.consumer(named: consumer)?.token
}
Task.detached { [source, mirror] in
    while true {
        do { _ = try await mirror.refresh(source) } catch { print(error.localizedDescription) }
        try await Task.sleep(for: .seconds(60))
    }
}
var descriptor = HistoryDescriptor(after: bookmark, isCoalesced: true)
descriptor.filter.minimumMagnitude = 4.5
for try await batch in cache.changes(descriptor) {
    for event in batch.events {
        let quake: Quake? =
            switch event {
            case .change(let relevant) where [.insert, .enter].contains(relevant.operation): relevant.change.after
            case .resync(let resynced): resynced.stored.quake
            default: nil
            }
        if let quake { FileHandle.standardOutput.write(Data("\(quake.title)\n".utf8)) }
    }
    if let token = batch.token { try await cache.write { try $0.history.acknowledge(token, for: consumer) } }
}
