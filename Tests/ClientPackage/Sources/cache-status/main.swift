import Foundation
import QuakeStore

/// `cache-status CACHE`: prints how old the data in a cache is, what it covers, and the b-value of its quakes.
guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: cache-status CACHE")
    exit(64)
}
let (status, summary) = try await QuakeCache(path: path).read { (try $0.status(), try $0.summary()) }

func age(_ moment: Timestamp) -> String { String(format: "%.1f h old", (Timestamp.now - moment) / .seconds(3600)) }

print("\(summary.count) quakes")
for source in status.sources ?? [] {
    let check = source.lastChecked.map { "checked \($0)" } ?? "never read"
    let news = source.newestPublication.map { ", \(age($0))" } ?? ""
    print("source: \(source.name), \(check)\(news)")
}
if let newest = status.newestPublication { print("newest publication: \(newest), \(age(newest))") }
for range in status.coveredRanges ?? [] {
    let least = range.conditions.minimumMagnitude.map { "M \($0)+ " } ?? ""
    print("covered: \(least)\(range.originTimes.lowerBound) to \(range.originTimes.upperBound), as of \(range.asOf)")
}
for (magnitude, count) in summary.magnitudeCounts.sorted(by: { $0.key ?? .min < $1.key ?? .min }) {
    print("M \(magnitude.map { "\($0) up to \($0 + 1)" } ?? "unknown"): \(count)")
}
if let relation = summary.gutenbergRichter {
    print(
        String(
            format: "from M %.1f on: b = %.2f ± %.2f, fit %.0f %%", relation.completeness, relation.b,
            relation.standardError, relation.fit))
} else if let completeness = summary.magnitudeOfCompleteness {
    print(String(format: "complete from M %.1f on; too few quakes for a b-value", completeness))
}
