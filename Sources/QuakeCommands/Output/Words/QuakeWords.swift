import QuakeModel

/// Describes a quake for somebody who has just felt it: what, how strong, where, when, how certain, and its effects.
struct QuakeWords {
    private let quake: Quake
    private let display: DisplayStyle
    private let now: Timestamp?

    init(_ quake: Quake, _ style: OutputStyle) {
        self.quake = quake
        display = style.display
        now = style.now
    }

    /// `earthquake us7000abcd`.
    var typeAndID: String { "\(quake.eventType ?? "event") \(quake.id)" }

    /// `M 6.2 (mww)`.
    var strength: String {
        "M \(Quake.titleMagnitude(quake.magnitude))" + (quake.magnitudeType.map { " (\($0))" } ?? "")
    }

    /// `83 km SE of Puerto Almendra, Chile, 44.2 km deep, at 33.12°S 71.4°W, 420 km SE of home`.
    var place: String {
        let depth = quake.hypocenter.depthKilometers.map(display.unit.depth)
        let way = display.sites.nearest(to: quake.epicenter).map {
            "\($0.words(to: quake.epicenter, display.unit)) of \($0.name)"
        }
        return [quake.namedPlace, depth, quake.epicenter.words, way].compactMap(\.self).joined(separator: ", ")
    }

    /// `Arica, Chile; the quake is 34 km NE of it`. Nil if no city is found.
    var nearest: String? {
        CityReader().reference(nearestTo: quake.epicenter).map {
            "\($0.name); the quake is \($0.words(to: quake.epicenter, display.unit)) of it"
        }
    }

    /// `2026-03-14 07:33:51 UTC, 3 min ago`.
    var time: String { moment(quake.originTime) }

    /// `automatic, not yet reviewed; 18 stations, nearest 7 km away; epicenter ± 1.2 km, depth ± 3.5 km, magnitude
    /// ± 0.1; last changed 2026-03-14 07:40:02 UTC`.
    var certainty: String {
        let review =
            switch quake.status {
            case "reviewed": "reviewed by an analyst"
            case "automatic": "automatic, not yet reviewed"
            case let status: status ?? "review unknown"
            }
        let nearest = quake.nearestStationDegrees.map { degrees in
            let subject = quake.stationCount == nil ? "nearest station" : "the nearest"
            return "\(subject) \(display.unit.distanceText(degrees * Self.kilometersPerDegree)) away"
        }
        let stations = [quake.stationCount.map { $0.counted("station") }, nearest].compactMap(\.self)
        let changed = "last changed \(moment(quake.updated))"
        return [review, stations.joined(separator: ", "), uncertainties, changed].filter { !$0.isEmpty }.joined(
            separator: "; ")
    }

    private var uncertainties: String {
        let known = [
            ("epicenter", quake.horizontalErrorKilometers.map { display.unit.lengthText($0) }),
            ("depth", quake.depthErrorKilometers.map { display.unit.lengthText($0) }),
            ("magnitude", quake.magnitudeError.map { PlainNumber.text($0, decimals: 2) }),
        ]
        return known.compactMap { name, text in text.map { "\(name) ± \($0)" } }.joined(separator: ", ")
    }

    /// The estimated intensity at the nearest site, the effects known to USGS, and the event page: a name and a text
    /// for each.
    var effects: [(name: String, text: String)] {
        let estimated = display.sites.nearest(to: quake.epicenter).flatMap { place in
            quake.estimatedIntensity(at: place.point).map { $0.words(at: place.name) }
        }
        let shakeMap = quake.instrumentalIntensity.map { "max MMI \(Self.intensity($0))" }
        let reports = quake.feltReports.map { count in
            let intensity = quake.communityIntensity.map { ", max CDI \(Self.intensity($0))" } ?? ""
            return count.counted("felt report") + intensity
        }
        let tsunami = quake.tsunami == true ? "flag set: check tsunami.gov" : nil
        let all = [
            ("intensity", estimated), ("ShakeMap", shakeMap), ("reports", reports),
            ("alert", quake.alert.map { "\($0) (PAGER)" }), ("tsunami", tsunami), ("page", quake.pageURL),
        ]
        return all.compactMap { name, text in text.map { (name, $0) } }
    }

    private func moment(_ moment: Timestamp) -> String {
        let age = now.flatMap { $0 < moment ? nil : ", \(moment.age(at: $0))" } ?? ""
        return display.timeZone.words(moment) + age
    }

    private static let kilometersPerDegree = 111.19

    /// Returns an intensity on the Modified Mercalli scale with the word that USGS uses for it: `VI (strong)`.
    private static func intensity(_ value: Double) -> String { IntensityLevel(nearestTo: value).description }
}

extension GeographicPoint {
    /// The coordinates with up to three decimals, such as `at 33.12°S 71.4°W`.
    fileprivate var words: String {
        func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
            "\(PlainNumber.text(abs(value), decimals: 3))°\(value < 0 ? negative : positive)"
        }
        return "at \(degrees(latitude, "N", "S")) \(degrees(longitude, "E", "W"))"
    }
}

extension EstimatedIntensity {
    /// Returns the level with its value and uncertainty: `IV (light) at Eureka (estimated, 4.1 ± 0.9)`.
    fileprivate func words(at place: String) -> String {
        let level = "\(self.level) at \(place)"
        guard value >= 1 else { return "\(level) (estimated)" }
        let number = PlainNumber.text(value, decimals: 1)
        let deviation = PlainNumber.text(standardDeviation, decimals: 1)
        return "\(level) (estimated, \(number) ± \(deviation)\(assumesDepth ? "; depth unknown, 10 km assumed" : ""))"
    }
}
