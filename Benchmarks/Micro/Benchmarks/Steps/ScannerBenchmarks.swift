import Benchmark
import Foundation
import QuakeSteps

func addScannerBenchmarks(_ month: MonthFeed) {
    Benchmark("scan") { benchmark, body in
        benchmark.startMeasurement()
        blackHole(try MeasuredFeed.scan(body))
        benchmark.stopMeasurement()
    } setup: {
        try month.first.body
    }

    Benchmark("scan, plain: JSONSerialization") { benchmark, body in
        benchmark.startMeasurement()
        let document = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        blackHole((document?["features"] as? [Any])?.count)
        benchmark.stopMeasurement()
    } setup: {
        try month.first.body
    }
}
