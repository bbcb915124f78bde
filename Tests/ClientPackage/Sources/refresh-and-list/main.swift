import QuakeDownload
import QuakeFeed
import QuakeMirror
import QuakeModel
import QuakeStore

let cache = QuakeCache(path: "quakes.db")
let source = CommandLine.arguments.dropFirst().first.flatMap { FeedSource($0) } ?? .allDay
let report = try await FeedMirror(cache).refresh(source)
print("\(report.features) quakes in \(report.feed)")
for stored in try cache.context(access: .reading).fetch(QuakeDescriptor(sort: .magnitude, limit: 10)) {
    print(stored.quake.originTime.iso8601, stored.quake.title)
}
