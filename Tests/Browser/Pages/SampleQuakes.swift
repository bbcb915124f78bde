import Foundation
import QuakeMap
import QuakeModel

/// Quakes for the tested pages.
enum SampleQuakes {
    /// Reads the quakes of a GeoJSON feed, with the values that a map shows or saves.
    static func read(_ file: URL) throws -> [Quake] {
        struct Feed: Decodable {
            struct Feature: Decodable {
                struct Properties: Decodable {
                    var mag: Double?
                    var place: String?
                    var time: Int64
                    var updated: Int64
                    var felt: Int?
                    var alert: String?
                    var status: String?
                    var tsunami: Int?
                    var sig: Int?
                    var net: String
                    var code: String
                    var ids: String
                    var magType: String?
                    var type: String?
                    var cdi: Double?
                    var mmi: Double?
                    var sources: String
                    var types: String
                    var nst: Int?
                    var dmin: Double?
                    var rms: Double?
                    var gap: Double?
                }
                struct Geometry: Decodable {
                    var coordinates: [Double?]
                }
                var properties: Properties
                var geometry: Geometry
            }
            var features: [Feature]
        }
        return try JSONDecoder().decode(Feed.self, from: Data(contentsOf: file)).features.map { feature in
            let (values, coordinates) = (feature.properties, feature.geometry.coordinates)
            var quake = Quake(
                net: values.net, code: values.code, originTime: Timestamp(milliseconds: values.time),
                updated: Timestamp(milliseconds: values.updated),
                hypocenter: Hypocenter(
                    longitude: coordinates[0] ?? 0, latitude: coordinates[1] ?? 0, depthKilometers: coordinates[2]))
            quake.magnitude = values.mag
            quake.magnitudeType = values.magType
            quake.place = values.place
            quake.feltReports = values.felt
            quake.alert = values.alert
            quake.status = values.status
            quake.tsunamiFlag = values.tsunami
            quake.significance = values.sig
            quake.ids = PublishedSet(values.ids)
            quake.eventType = values.type
            quake.communityIntensity = values.cdi
            quake.instrumentalIntensity = values.mmi
            quake.sources = PublishedSet(values.sources)
            quake.productTypes = PublishedSet(values.types)
            quake.stationCount = values.nst
            quake.nearestStationDegrees = values.dmin
            quake.residualSeconds = values.rms
            quake.azimuthalGapDegrees = values.gap
            return quake
        }
    }

    /// Returns quakes along rough plate boundaries, the same in every run.
    static func made(count: Int) -> [Quake] {
        let belts: [(west: Double, south: Double, east: Double, north: Double)] = [
            (-179, -35, -172, -15), (176, -38, 180, -20), (138, 30, 146, 45), (-125, 32, -114, 42),
            (-75, -40, -68, -5), (95, -8, 125, 5), (20, 34, 45, 42), (-170, 50, -140, 62), (-30, -58, -24, -55),
            (-155.9, 18.9, -154.8, 19.9),
        ]
        var random = Random(state: 14)
        return (0..<count).map { number in
            let belt = belts[Int(random.next(0, Double(belts.count)))]
            var quake = Quake(
                net: "us", code: "test\(number)",
                originTime: Timestamp(milliseconds: 1_746_366_780_000 - Int64(number) * 130_000),
                updated: Timestamp(milliseconds: 1_746_366_780_000),
                hypocenter: Hypocenter(
                    longitude: random.next(belt.west, belt.east), latitude: random.next(belt.south, belt.north),
                    depthKilometers: number % 97 == 60
                        ? nil : (random.next(0, 8.4) * random.next(0, 8.4) * 10).rounded()
                ))
            quake.magnitude =
                number % 89 == 88 ? nil : (random.next(0, 2.5) * random.next(0.4, 3.1) * 10).rounded() / 10
            quake.magnitudeType = "ml"
            quake.place = "\(number % 90 + 3) km NNW of Sample Town \(number % 700), Somewhere"
            quake.status = number % 3 == 0 ? "automatic" : "reviewed"
            quake.eventType = number % 150 == 7 ? "quarry blast" : "earthquake"
            quake.feltReports = number % 50 == 0 ? number % 1200 : nil
            quake.alert = number % 400 == 0 ? "green" : nil
            quake.tsunami = number % 200 == 0
            return quake
        }
    }

    /// Place names that would break a page that interprets them as markup.
    static var hostile: [Quake] {
        let places = [
            "</script><script>document.title = 'broken'</script>", "<img src=x onerror=\"document.title = 'broken'\">",
            "line\u{2028}separator\u{2029}s", "\u{202E}desrever\u{202C} \u{2066}isolate",
            "\"quotes\" & 'more' <b>bold</b>",
            "<!-- comment", "</noscript><style>*{display:none}</style>", "\u{0}null\u{1B}[31m", "Pāhala, Hawai‘i 日本 🌋",
        ]
        return places.enumerated().map { number, place in
            var quake = made(count: number + 1)[number]
            quake.place = place
            return quake
        }
    }

    /// Returns a revised magnitude and depth for every quake.
    static func history(of quake: Quake) -> [MapContent.Revision] {
        let recorded = quake.originTime + .seconds(420)
        let firstMagnitude = (((quake.magnitude ?? 1) + 0.2) * 10).rounded() / 10
        return [
            MapContent.Revision(recorded: recorded, published: recorded - .seconds(60), reason: .new, changes: []),
            MapContent.Revision(
                recorded: recorded + .seconds(1800), published: recorded + .seconds(1740), reason: .revised,
                changes: [
                    .init(property: .mag, before: .real(firstMagnitude), after: quake[.mag]),
                    .init(property: .depth, before: .real(10), after: quake[.depth]),
                    .init(property: .status, before: .text("automatic"), after: quake[.status]),
                ]),
        ]
    }

    /// Pseudorandom numbers that are the same everywhere (SplitMix64).
    private struct Random {
        var state: UInt64

        mutating func next(_ from: Double, _ to: Double) -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return from + (to - from) * Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
        }
    }
}
