import Benchmark
import Foundation
import QuakeSteps

func addDecoderBenchmarks(_ month: MonthFeed) {
    Benchmark("decode") { benchmark, feed in
        benchmark.startMeasurement()
        feed.decode(Array(0..<feed.featureCount)) { blackHole($0) }
        benchmark.stopMeasurement()
    } setup: {
        try MeasuredFeed(month.first.body)
    }

    Benchmark("decode, plain: JSONDecoder") { benchmark, body in
        benchmark.startMeasurement()
        blackHole(try JSONDecoder().decode(PlainCollection.self, from: body).features.count)
        benchmark.stopMeasurement()
    } setup: {
        try month.first.body
    }

    Benchmark("decode one in a hundred") { benchmark, feed in
        let indices = Array(stride(from: 0, to: feed.featureCount, by: 100))
        benchmark.startMeasurement()
        feed.decode(indices) { blackHole($0) }
        benchmark.stopMeasurement()
    } setup: {
        try MeasuredFeed(month.first.body)
    }
}
