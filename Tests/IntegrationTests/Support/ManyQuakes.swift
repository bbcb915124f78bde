import Foundation
import QuakeStore
import QuakeTestSupport

/// A feed too large for a pipe's buffer.
enum ManyQuakes {
    /// Returns an `all_week` feed of `count` quakes, one minute apart.
    static func feed(_ count: Int) -> Data {
        let features = (1...count).map { number in
            let time = Timestamp.sample - .seconds(60 * number)
            return FeedText.feature(
                Quake(sample: "uszz\(number)", time: time, updated: time, magnitude: Double(number % 7) + 0.5))
        }
        return FeedText.document("https://example.org/all_week.geojson", generated: .sample, features: features)
    }
}
