import Foundation
public import QuakeModel

extension EventCatalog {
    /// Adds `count` invented quakes of `originTimes`, always the same for one `seed`: a quarter of them in swarms of a
    /// few minutes, some without magnitude, place or depth, some with several ids, on both sides of the date line. Each
    /// was updated within hours, or at `updated`.
    public mutating func insertInvented(
        _ count: Int, in originTimes: ClosedRange<Timestamp>, seed: UInt64 = 1, updated: Timestamp? = nil
    ) {
        var random = SplitMix64(state: seed)
        let first = originTimes.lowerBound.milliseconds
        let length = Int(originTimes.upperBound.milliseconds - first) + 1
        let swarms = (0..<3).map { _ in random.next(length) }
        for _ in 0..<count {
            let isInSwarm = random.next(4) == 0
            let place = isInSwarm ? min(length - 1, swarms[random.next(3)] + random.next(600_000)) : random.next(length)
            let quake = Self.invented(number: insertedCount, at: Timestamp(milliseconds: first + Int64(place)), &random)
            let soon = quake.originTime + .seconds(60 + Int64(random.next(7_200)))
            insert(quake, updated: updated ?? min(now, soon))
        }
    }

    /// Returns a quake whose ids contain `number`, so that they are unique.
    private static func invented(number: Int, at time: Timestamp, _ random: inout SplitMix64) -> Quake {
        let net = ["ci", "nc", "us", "ak", "hv", "pr", "nn", "iscgem"][random.next(8)]
        let longitude = random.next(8) == 0 ? 180 - Double(random.next(40_000)) / 10_000 : nil
        var quake = Quake(
            net: net, code: "\(40_000_000 + number)", originTime: time, updated: time,
            hypocenter: Hypocenter(
                longitude: longitude ?? Double(random.next(3_600_000) - 1_800_000) / 10_000,
                latitude: Double(random.next(1_600_000) - 800_000) / 10_000,
                depthKilometers: random.next(30) == 0 ? nil : Double(random.next(70_000) - 300) / 100))
        // By Gutenberg and Richter, each step of magnitude has a tenth as many quakes.
        let share = Double(random.next(999_999) + 1) / 1_000_000
        quake.magnitude = random.next(50) == 0 ? nil : ((0.5 - log10(share)) * 100).rounded() / 100
        quake.magnitudeType = quake.magnitude == nil ? nil : ["ml", "md", "mb", "mww"][random.next(4)]
        quake.place = random.next(100) == 0 ? nil : "\(1 + random.next(90)) km NNE of Pāhola \(random.next(500))"
        quake.status = random.next(3) == 0 ? "automatic" : "reviewed"
        quake.eventType = random.next(20) == 0 ? "quarry blast" : "earthquake"
        quake.tsunami = false
        quake.significance = Int((quake.magnitude ?? 0) * (quake.magnitude ?? 0) * 15)
        if random.next(5) == 0 {
            quake.ids = PublishedSet(members: [quake.id, "us7\(String(number, radix: 36))", "at0\(number)"])
            quake.sources = PublishedSet(members: [net, "us", "at"])
        }
        quake.productTypes = PublishedSet(",origin,phase-data,")
        if random.next(3) > 0 {
            quake.stationCount = Int(random.next(90))
            quake.residualSeconds = Double(random.next(150)) / 100
            quake.azimuthalGapDegrees = Double(random.next(360))
            quake.nearestStationDegrees = Double(random.next(9_000)) / 1_000
        }
        if random.next(25) == 0 { (quake.feltReports, quake.communityIntensity) = (Int(random.next(900)), 3.4) }
        return quake
    }
}
