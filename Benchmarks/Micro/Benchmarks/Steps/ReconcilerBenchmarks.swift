import Benchmark
import Foundation
import QuakeMirror
import QuakeModel
import QuakeSteps
import QuakeStore

/// A refresh from a file, rolled back at its end: reading, scanning, decoding, judging, and the writes that follow. What
/// judging alone costs is the difference between them, less scanning and decoding.
func addReconcilerBenchmarks(_ month: MonthFeed) {
    let documents = [
        ("reconcile, nothing changed", month.first, 0), ("reconcile, one in a hundred changed", month.revised, 100),
        ("reconcile, everything changed", month.allRevised, 10_000),
    ]
    for (name, document, changes) in documents {
        Benchmark(name) { benchmark, cache in
            benchmark.startMeasurement()
            let report = try cache.rehearse(document.path)
            benchmark.stopMeasurement()
            if report.updated.values.reduce(0, +) != changes { benchmark.error("\(report.updated) updates") }
        } setup: {
            try MonthCache(from: month.first.path)
        }
    }

    Benchmark("reconcile, one in a hundred changed, plain: compare all") { benchmark, cache in
        benchmark.startMeasurement()
        let changed = try changedQuakes(of: month.revised, in: cache.context)
        benchmark.stopMeasurement()
        if changed != 100 { benchmark.error("\(changed) changed") }
    } setup: {
        try MonthCache(from: month.first.path)
    }
}

/// How many quakes of `document` have other values than the cache: all decoded, all fetched, all compared, nothing written.
private func changedQuakes(of document: MonthFeed.Document, in context: QuakeContext) throws -> Int {
    let features = try JSONDecoder().decode(PlainCollection.self, from: document.body).features
    var known: [String: Quake] = [:]
    try context.enumerate { known[$0.quake.id] = $0.quake }
    return features.count { feature in
        guard let quake = known[feature.id] else { return true }
        return !feature.properties.agrees(with: quake) || !feature.geometry.agrees(with: quake.hypocenter)
    }
}

extension PlainFeature.Properties {
    fileprivate func agrees(with quake: Quake) -> Bool {
        mag == quake.magnitude && place == quake.place && time == quake.originTime.milliseconds
            && updated == quake.updated.milliseconds && tz == quake.timeZoneMinutes && felt == quake.feltReports
            && cdi == quake.communityIntensity && mmi == quake.instrumentalIntensity && alert == quake.alert
            && status == quake.status && tsunami == quake.tsunami && sig == quake.significance
            && PublishedSet(ids ?? "") == quake.ids && PublishedSet(sources ?? "") == quake.sources
            && PublishedSet(types ?? "") == quake.productTypes && nst == quake.stationCount
            && dmin == quake.nearestStationDegrees && rms == quake.residualSeconds && gap == quake.azimuthalGapDegrees
            && magType == quake.magnitudeType && type == quake.eventType
    }
}

extension PlainFeature.Geometry {
    fileprivate func agrees(with hypocenter: Hypocenter) -> Bool {
        coordinates == [hypocenter.longitude, hypocenter.latitude, hypocenter.depthKilometers]
    }
}
