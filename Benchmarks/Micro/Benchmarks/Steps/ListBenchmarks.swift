import ArgumentParser
import Benchmark
import Foundation
import Glibc
import QuakeCommands
import QuakeModel
import QuakeSteps
import QuakeStore

/// All properties of all quakes, to /dev/null.
func addListBenchmarks(_ month: MonthFeed) {
    for format in ["csv", "ndjson"] {
        Benchmark("list as \(format)") { benchmark, cache in
            var command = try QuakesCommand.parseAsRoot([
                "list", "--fields", "all", "--format", format, "--db", cache.path,
            ])
            try withOutputToNowhere {
                benchmark.startMeasurement()
                try command.run()
                benchmark.stopMeasurement()
            }
        } setup: {
            try MonthCache(from: month.first.path)
        }
    }

    Benchmark("list as csv, plain: strings") { benchmark, cache in
        benchmark.startMeasurement()
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let lines = try context.fetch().map { stored in
            QuakeProperty.allCases.map { PlainField.text(stored.quake[$0], of: $0) }.joined(separator: ",")
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "/dev/null"))
        benchmark.stopMeasurement()
    } setup: {
        try MonthCache(from: month.first.path)
    }

    Benchmark("list as ndjson, plain: JSONEncoder") { benchmark, cache in
        benchmark.startMeasurement()
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .reading)
        let encoder = JSONEncoder()
        let nowhere = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
        for stored in try context.fetch() {
            try nowhere.write(contentsOf: try encoder.encode(PlainRow(stored.quake)))
        }
        benchmark.stopMeasurement()
    } setup: {
        try MonthCache(from: month.first.path)
    }

    Benchmark("list, rows alone") { benchmark, cache in
        benchmark.startMeasurement()
        try MeasuredRows.forEachField(ofCacheAt: cache.path) { blackHole($0) }
        benchmark.stopMeasurement()
    } setup: {
        try MonthCache(from: month.first.path)
    }
}

/// Runs `body` with standard output leading nowhere.
private func withOutputToNowhere(_ body: () throws -> Void) throws {
    let output = dup(STDOUT_FILENO)
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, STDOUT_FILENO)
    defer {
        dup2(output, STDOUT_FILENO)
        close(output)
        close(nowhere)
    }
    try body()
}
