import Foundation
import QuakeDownload

/// `keep-json FILE [FEED]`: keeps FILE up to date with last week's quakes of magnitude 4.5 or more, as JSON.
let file = CommandLine.arguments.dropFirst().first ?? "m45.json"
let source: FeedSource = CommandLine.arguments.dropFirst(2).first.map { .file($0) } ?? .allWeek
let cache = QuakeCache(path: file + ".db")
let mirror = FeedMirror(cache)
Task.detached { [source, mirror] in
    while true {
        do { _ = try await mirror.refresh(source) } catch { print(error.localizedDescription) }
        try await Task.sleep(for: .seconds(60))
    }
}
let encoder = JSONEncoder()
for try await quakes in cache.quakes(matching: QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 4.5))) {
    try encoder.encode(quakes.map(\.quake)).write(to: URL(filePath: file), options: .atomic)
    FileHandle.standardOutput.write(Data("\(quakes.count) quakes\n".utf8))
}
