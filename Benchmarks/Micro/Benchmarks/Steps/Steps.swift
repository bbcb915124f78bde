import Benchmark

/// Every step beside the plain way of the same work; the first word of a name is the step, and a plain way has "plain" in it.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .throughput], timeUnits: .microseconds, warmupIterations: 2,
        maxDuration: .seconds(4), maxIterations: 400)
    let month = MonthFeed.current
    addScannerBenchmarks(month)
    addDecoderBenchmarks(month)
    addReconcilerBenchmarks(month)
    addListBenchmarks(month)
}
