import Foundation

/// The month feed of 10,000 quakes that `make bench` measures with, and what becomes of it.
struct MonthFeed: Sendable {
    /// As a file holds it, and where that lies.
    struct Document: Sendable {
        let path: String

        var body: Data {
            get throws { try Data(contentsOf: URL(filePath: path)) }
        }
    }

    let first: Document
    /// Five minutes later, one feature in a hundred revised.
    let revised: Document
    /// Five minutes later, every feature revised.
    let allRevised: Document

    /// The feed in `$QUAKES_BENCHMARK_DATA`, else in Benchmarks/.data. Ends the process in words where it is not there.
    static let current: MonthFeed = {
        let named = ProcessInfo.processInfo.environment["QUAKES_BENCHMARK_DATA"]
        // Benchmarks/Micro/Benchmarks/Steps/MonthFeed.swift
        let besides = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = named.map { URL(filePath: $0) } ?? besides.appending(path: ".data")
        func document(_ name: String) -> Document {
            let path = folder.appending(path: name).path
            guard FileManager.default.fileExists(atPath: path) else {
                FileHandle.standardError.write(
                    Data(
                        "The feeds to measure with are not in \(folder.path). Run `./micro.py --data` in Benchmarks.\n"
                            .utf8))
                exit(1)
            }
            return Document(path: path)
        }
        return MonthFeed(
            first: document("month.geojson"), revised: document("month-revised.geojson"),
            allRevised: document("month-all-revised.geojson"))
    }()
}
