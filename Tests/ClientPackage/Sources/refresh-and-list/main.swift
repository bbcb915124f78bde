import QuakeDownload

let cache = QuakeCache(path: "quakes.db")
let source: FeedSource = CommandLine.arguments.dropFirst().first.map { .file($0) } ?? .allDay
let report = try await FeedMirror(cache).refresh(source)
print("\(report.features) quakes in \(report.feed)")
for stored in try await cache.read({ try $0.fetch(QuakeDescriptor(sortBy: .magnitude, limit: 10)) }) {
    print(stored.quake.originTime.iso8601, stored.quake.title)
}
