import Benchmark
import Foundation
import QuakeFeed
import QuakeModel

func addDecoderBenchmarks(_ month: MonthFeed) {
    Benchmark("decode") { benchmark, snapshot in
        benchmark.startMeasurement()
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { blackHole($0.index) }
        benchmark.stopMeasurement()
    } setup: {
        try FeedSnapshot(month.first.body, source: "month")
    }

    Benchmark("decode, plain: JSONDecoder") { benchmark, body in
        benchmark.startMeasurement()
        blackHole(try JSONDecoder().decode(PlainCollection.self, from: body).features.count)
        benchmark.stopMeasurement()
    } setup: {
        try month.first.body
    }

    Benchmark("decode one in a hundred") { benchmark, snapshot in
        let indices = Array(stride(from: 0, to: snapshot.features.count, by: 100))
        benchmark.startMeasurement()
        FeatureDecoder(snapshot, indices: indices).forEach { blackHole($0.index) }
        benchmark.stopMeasurement()
    } setup: {
        try FeedSnapshot(month.first.body, source: "month")
    }
}
