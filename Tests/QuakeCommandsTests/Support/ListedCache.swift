import ArgumentParser
import Foundation
import QuakeMirror
import QuakeTestSupport

@testable import QuakeCommands

/// A cache of quakes with every kind of value, and the output of `list` for it.
struct ListedCache {
    let path: String
    /// Its quakes by local key.
    let quakes: [Quake]

    /// Creates a cache in `directory` from the fixtures' quakes and many with random values.
    init(in directory: ScratchDirectory) throws {
        path = directory.path("quakes.db")
        let context = try QuakeContext(QuakeCache(path: path), access: .creating)
        try context.write { writer in
            var ids: Set<String> = []
            for quake in try ListedCache.published() + ListedCache.random() where ids.insert(quake.id).inserted {
                try writer.insert(quake, reason: .new)
            }
        }
        var quakes: [StoredQuake] = []
        try context.enumerate { quakes.append($0) }
        self.quakes = quakes.sorted { $0.key < $1.key }.map(\.quake)
    }

    /// Returns the output of `quakes list`.
    func list(_ arguments: [String]) throws -> String {
        let file = try CapturedFile()
        let command = try ListCommand.parse(["--db", path] + arguments)
        let status = try command.execute(in: .test(output: file.stream))
        guard status == .success else { throw CocoaError(.fileReadUnknown) }
        return file.text
    }

    private static func published() throws -> [Quake] {
        var quakes: [Quake] = []
        for name in try Fixture.names(in: "feeds") {
            let snapshot = try FeedSnapshot(Fixture.data("feeds/\(name)"), source: name)
            FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { _, result in
                if case .success(let quake) = result { quakes.append(quake) }
            }
        }
        return quakes
    }

    private static func random() -> [Quake] {
        var random = SplitMix64(state: 11)
        return (0..<600).map { number in Quake(number, &random) }
    }
}

extension Quake {
    private static let letters = Array("ab ,\"\n\r\t;\\=/āé能🌋\u{1B}\u{202E}'{}")

    /// Creates a quake with random values, some of them missing.
    fileprivate init(_ number: Int, _ random: inout SplitMix64) {
        func integer(_ bounds: ClosedRange<Int>) -> Int? {
            Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: bounds, using: &random)
        }
        func real(_ bounds: ClosedRange<Double>) -> Double? {
            let value = Double.random(in: bounds, using: &random)
            return switch Int.random(in: 0..<5, using: &random) {
            case 0: nil
            case 1: value.rounded()
            case 2: (value * 100).rounded() / 100
            case 3: value * 1e-6
            default: value
            }
        }
        func text() -> String? {
            guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
            return String(
                (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
        }
        let letters = Self.letters
        // There are few origin times, so that the id often determines the order.
        self.init(
            net: ["us", "ci", "usauto"][number % 3], code: "zz\(Int.random(in: 0..<1_000_000, using: &random))",
            originTime: Timestamp(milliseconds: Int64.random(in: -40...40, using: &random) * 86_399_999_999),
            updated: Timestamp(milliseconds: Int64(integer(0...2_000_000_000_000) ?? 0)),
            hypocenter: Hypocenter(
                longitude: real(-180...180) ?? -180, latitude: real(-90...90) ?? 90, depthKilometers: real(-5...700)))
        (magnitude, magnitudeType, place, eventType) = (real(-2...9), text(), text(), text())
        (status, alert, feltReports, communityIntensity) = (text(), text(), integer(0...100_000), real(0...10))
        (instrumentalIntensity, tsunamiFlag, significance) = (real(0...12), integer(0...1), integer(.min ... .max))
        (stationCount, nearestStationDegrees, residualSeconds) = (integer(0...500), real(0...50), real(0...3))
        (azimuthalGapDegrees, timeZoneMinutes) = (real(0...360), integer(-720...720))
        (publishedTitle, publishedURL, publishedDetail) = (text(), text(), text())
        (horizontalErrorKilometers, depthErrorKilometers, magnitudeError) = (real(0...99), real(0...99), real(0...1))
        (magnitudeStationCount, locationSource, magnitudeSource) = (integer(0...500), text(), text())
        productTypes = PublishedSet(members: ["origin", "dyfi", "shake\(number)"])
        if number % 5 == 0 { extra = #"{"a":[1,2.5,null,true],"b":{"c":"\#(number)é\\\""}}"# }
    }
}
