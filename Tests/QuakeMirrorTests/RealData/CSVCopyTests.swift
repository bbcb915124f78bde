import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// Reads published documents, and CSV made from them by ``RawSnapshot``, into one cache.
// Proves rule 24 of mirroring.md.
@Suite("CSV copies of published documents", .computing, .needsRealData, .scratch) struct CSVCopyTests {
    /// After the newest document.
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)
    /// Two of its quakes claim to have been updated 15 days after the document was made. Unless its CSV is given the
    /// document's time, the document is the older of the two.
    private static let datedAhead = "feeds/2.5_week__2016-04-12T2150Z__api1.5.2__count-mismatch.geojson"

    private static let documents = Result {
        try ["feeds", "fdsn"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: RealData.url(folder).path)
                .filter { $0.hasSuffix(".geojson") }.sorted().map { "\(folder)/\($0)" }
        }
    }

    private func replay() throws -> Replay { try Replay(in: .ofTest(), name: "\(UUID()).db", now: Self.now) }

    private func quakes(_ replay: Replay) throws -> [String: Quake] {
        Dictionary(uniqueKeysWithValues: try replay.context.fetch().map { ($0.quake.id, $0.quake) })
    }

    private func write(_ csv: String) throws -> String {
        try ScratchDirectory.ofTest().write(Data(csv.utf8), to: "\(UUID()).csv")
    }

    @Test(
        "A CSV copy of a GeoJSON document, read before or after it, changes only uncertainties",
        arguments: Thoroughness.sample(1, of: [false, true]))
    func eitherOrder(hasUncertainties: Bool) throws {
        #expect(try Self.documents.get().count == 19)
        for document in try Self.documents.get() {
            let geoJSON = try RealData.url(document).path
            var snapshot = try RawSnapshot(path: geoJSON)
            let generated = document == Self.datedAhead ? Timestamp(milliseconds: snapshot.generated) : nil
            if hasUncertainties { snapshot = snapshot.withUncertainties() }
            guard !snapshot.quakes.isEmpty else { continue }
            let csv = try write(snapshot.csv)

            let alone = try replay()
            _ = try alone.apply(geoJSON)
            var expected = try quakes(alone)
            if hasUncertainties { expected = expected.mapValues { $0.withUncertainties() } }

            let after = try replay()
            _ = try after.apply(geoJSON)
            let changes = try after.apply(.file(csv), generated: generated).changes
            #expect(try differences(quakes(after), expected) == [], "\(document), then CSV")
            let added = snapshot.quakes.mapValues { Set($0.values.keys).intersection(RawSnapshot.uncertainties) }
            #expect(changes.count == added.values.count { !$0.isEmpty }, "\(document), then CSV")
            for change in changes {
                guard case .update(_, let quake, let changed) = change.effect else {
                    Issue.record("\(document), then CSV: \(change.effect)")
                    continue
                }
                #expect(Set(changed.map(\.rawValue)) == added[quake.id], "\(document), then CSV: \(quake.id)")
            }

            let before = try replay()
            #expect(
                try before.apply(.file(csv), generated: generated).changes.map(\.reason)
                    == snapshot.quakes.map { _ in .new }, "CSV of \(document)")
            #expect(try agrees(quakes(before), with: snapshot.quakes), "CSV of \(document)")
            for change in try before.apply(geoJSON).changes {
                guard case .update(_, let quake, let changed) = change.effect else {
                    Issue.record("CSV, then \(document): \(change.effect)")
                    continue
                }
                let inCSV = Set(changed.map(\.rawValue)).intersection(RawSnapshot.propertiesOfCSV)
                #expect(inCSV == [], "CSV, then \(document): \(quake.id)")
            }
            #expect(try differences(quakes(before), expected) == [], "CSV, then \(document)")
        }
    }

    /// The quakes that are in one cache only, and the stored properties of the others that differ.
    private func differences(_ found: [String: Quake], _ expected: [String: Quake]) -> [String] {
        Set(found.keys).union(expected.keys).sorted().compactMap { id in
            guard let quake = found[id], let other = expected[id] else { return id }
            let differing = QuakeProperty.stored.filter { quake[stored: $0] != other[stored: $0] }
            return differing.isEmpty ? nil : "\(id): \(differing)"
        }
    }

    /// Whether the cached quakes are these, with their values in the columns of CSV.
    private func agrees(_ found: [String: Quake], with expected: [String: RawQuake]) -> Bool {
        Set(found.keys) == Set(expected.keys)
            && found.allSatisfy { id, quake in
                expected[id].map { RawQuake(quake).differences(from: $0) }?
                    .isDisjoint(with: RawSnapshot.propertiesOfCSV) ?? false
            }
    }

    @Test("After CSV copies of 300 snapshots are applied, the history matches them, without renames") func series()
        throws
    {
        let replay = try replay()
        var checker = SeriesChecker()
        for path in try RealData.caribbean {
            let snapshot = try RawSnapshot(path: path).withUncertainties().asCSV
            guard !snapshot.quakes.isEmpty else { continue }
            try checker.check(snapshot, in: write(snapshot.csv), replay)
        }
        #expect(checker.agreed == ["new": 165, "revised": 78])
        #expect(try agrees(quakes(replay), with: checker.states))
    }

    @Test(
        "CSV copies of snapshots, read in any order, lead to the values of the newest",
        arguments: [
            [RealSeriesTests.caribbean],
            RealSeriesTests.worldFeeds.filter { $0 != "all_week" }.map { "\(RealSeriesTests.world)/\($0)" },
        ])
    func anyOrder(series: [String]) throws {
        let copies = try copies(ofSeries: series).sorted {
            ($0.snapshot.generated, $0.path) < ($1.snapshot.generated, $1.path)
        }
        var newest: [String: RawQuake] = [:]
        for copy in copies { newest.merge(copy.snapshot.quakes) { $1 } }
        var random = SplitMix64(state: 1)
        let shuffled = (0..<Thoroughness.count(1, of: 20)).map { _ in copies.shuffled(using: &random) }
        for order in [copies, copies.reversed()] + shuffled {
            let replay = try replay()
            for copy in order { _ = try replay.apply(copy.path) }
            #expect(try agrees(quakes(replay), with: newest))
        }
    }

    @Test("CSV copies, read in random order after their GeoJSON, change only uncertainties") func afterGeoJSON() throws
    {
        let replay = try replay()
        for path in try RealData.caribbean { _ = try replay.apply(path) }
        let expected = try quakes(replay).mapValues { $0.withUncertainties() }
        var random = SplitMix64(state: 2)
        for copy in try copies(ofSeries: [RealSeriesTests.caribbean]).shuffled(using: &random) {
            _ = try replay.apply(copy.path)
        }
        #expect(try differences(quakes(replay), expected) == [])
    }

    @Test("CSV copies, read in random order before their GeoJSON, change only uncertainties") func beforeGeoJSON()
        throws
    {
        let alone = try replay()
        for path in try RealData.caribbean { _ = try alone.apply(path) }
        let expected = try quakes(alone).mapValues { $0.withUncertainties() }
        let replay = try replay()
        var random = SplitMix64(state: 3)
        for copy in try copies(ofSeries: [RealSeriesTests.caribbean]).shuffled(using: &random) {
            _ = try replay.apply(copy.path)
        }
        for path in try RealData.caribbean { _ = try replay.apply(path) }
        #expect(try differences(quakes(replay), expected) == [])
    }

    /// The CSV copies of the snapshots in `series` that list a quake, in files, with invented uncertainties.
    private func copies(ofSeries series: [String]) throws -> [(snapshot: RawSnapshot, path: String)] {
        try series.flatMap { try RealData.snapshots(ofSeries: $0) }.compactMap { path in
            let snapshot = try RawSnapshot(path: path).withUncertainties().asCSV
            return snapshot.quakes.isEmpty ? nil : (snapshot, try write(snapshot.csv))
        }
    }
}

extension Quake {
    /// The same with the uncertainties that ``RawQuake`` invents for its solution.
    fileprivate func withUncertainties() -> Quake {
        let raw = RawQuake(self).withUncertainties()
        var quake = self
        quake.horizontalErrorKilometers = raw.number("horizontal_error")
        quake.depthErrorKilometers = raw.number("depth_error")
        quake.magnitudeError = raw.number("mag_error")
        quake.magnitudeStationCount = raw.number("mag_nst").map { Int($0) }
        quake.locationSource = raw.text("location_source")
        quake.magnitudeSource = raw.text("mag_source")
        return quake
    }
}
