import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeFormats

@Suite("QuakeML output") struct QuakeMLTests {
    private static func version(
        _ product: String, _ source: String, _ code: String, _ seconds: Int64, weight: Int64,
        _ values: [SolutionField: QuakeValue]?
    ) -> SolutionVersion {
        SolutionVersion(
            product: product, source: source, code: code, published: .sample + .seconds(seconds), weight: weight,
            values: values)
    }

    private static let origin: [SolutionField: QuakeValue] = [
        .time: .integer(Timestamp.sample.milliseconds), .lat: .real(19.4), .lon: .real(-155.3), .depth: .real(8.1),
        .mag: .real(4.6), .status: .text("automatic"), .depthError: .real(153.8), .magError: .real(0.05),
        .horizontalError: .real(0.0123), .nph: .integer(12),
    ]

    private func event(
        _ history: SolutionHistory?, _ change: (inout Quake) -> Void = { _ in }
    ) throws -> MarkupElement {
        var quake = Quake(sample: "us7000aa01")
        change(&quake)
        let document = QuakeDocument(.quakeml, [], title: nil, generated: nil)
        document.append(quake, history)
        document.end()
        let text = String(decoding: document.output.bytes, as: UTF8.self)
        return try #require(try MarkupElement(of: text)["q:quakeml/eventParameters/event"])
    }

    @Test("Without fetched origins, QuakeML has the feed's values as preferred origin and magnitude")
    func withoutSolutions() throws {
        let event = try event(nil)
        let origins = event.all("origin")
        #expect(origins.count == 1 && event["preferredOriginID"]?.text == origins.first?.publicID)
        #expect(origins.first?["depth/value"]?.text == "8100" && origins.first?["latitude/value"]?.text == "19.4")
        #expect(event["preferredMagnitudeID"]?.text == event.all("magnitude").first?.publicID)
        #expect(event["magnitude/mag/value"]?.text == "4.6" && event["description/text"]?.text == "5 km S of Pāhola")
    }

    @Test("In QuakeML, an origin of the quake's own values has its uncertainties and the networks that computed it")
    func ownUncertainties() throws {
        let event = try event(nil) { $0 = $0.withUncertainties }
        #expect(event["origin/originUncertainty/horizontalUncertainty"]?.text == "6250")
        #expect(event["origin/depth/uncertainty"]?.text == "1700")
        #expect(event["magnitude/mag/uncertainty"]?.text == "0.052" && event["magnitude/stationCount"]?.text == "31")
        #expect(event["origin/creationInfo/agencyID"]?.text == "us")
        #expect(event["magnitude/creationInfo/agencyID"]?.text == "hv")
        let fetched = Self.version("origin", "at", "b", 6, weight: 9, Self.origin)
        let other = try self.event(SolutionHistory([.origins: [fetched]])) { $0 = $0.withUncertainties }
        #expect(other.all("origin").count == 1 && other["magnitude/creationInfo/agencyID"]?.text == "at")
        #expect(other["origin/depth/uncertainty"]?.text == "153800")
    }

    @Test("In QuakeML, the fetched origin that agrees with the quake's values is the preferred origin")
    func preferredSolution() throws {
        var other = Self.origin
        other[.mag] = .real(5)
        let history = SolutionHistory([
            .origins: [
                Self.version("origin", "us", "a", 0, weight: 1, Self.origin),
                Self.version("origin", "us", "a", 5, weight: 1, Self.origin),
                Self.version("origin", "at", "b", 6, weight: 9, other),
                Self.version("origin", "pt", "c", 7, weight: 99, other),
                Self.version("origin", "pt", "c", 8, weight: 9, nil),
            ]
        ])
        let event = try event(history)
        let origins = event.all("origin")
        #expect(origins.map { $0["creationInfo/agencyID"]?.text } == ["us", "at"])
        #expect(event["preferredOriginID"]?.text == origins.first?.publicID)
        #expect(origins.first?.publicID?.contains("/origin/a/us/1773489605000/product.xml") == true)
        #expect(origins.first?["depth/uncertainty"]?.text == "153800")
        #expect(origins.first?["originUncertainty/horizontalUncertainty"]?.text == "12.3")
        #expect(origins.first?["quality/usedPhaseCount"]?.text == "12")
        #expect(origins.first?["evaluationMode"]?.text == "automatic")
        #expect(event["magnitude/mag/uncertainty"]?.text == "0.05")
        let counted = try self.event(
            SolutionHistory([
                .origins: [
                    Self.version("origin", "us", "a", 0, weight: 1, Self.origin.merging([.magNst: .integer(32)]) { $1 })
                ]
            ])
        ) { $0.nearestStationDegrees = 0.25 }
        #expect(counted["magnitude/stationCount"]?.text == "32")
        #expect(counted["origin/quality/minimumDistance"]?.text == "0.25")
        let contradicted = try self.event(history) { $0.magnitude = 4.4 }
        #expect(contradicted.all("origin").count == 3)
        #expect(contradicted["preferredOriginID"]?.text == contradicted.all("origin").last?.publicID)
    }

    @Test("In QuakeML, a moment tensor refers to its own centroid or else the preferred origin") func momentTensors()
        throws
    {
        var values: [SolutionField: QuakeValue] = [
            .doubleCouple: .real(0.98), .mag: .real(4.6), .magType: .text("Mww"),
        ]
        for (index, field) in (SolutionField.tensor + SolutionField.planes.flatMap(\.self)).enumerated() {
            values[field] = .real(Double(index) * 1e18)
        }
        var placed = values
        (placed[.time], placed[.lat], placed[.lon]) = (.integer(0), .real(1), .real(2))
        let event = try event(
            SolutionHistory([
                .origins: [Self.version("origin", "us", "a", 0, weight: 1, Self.origin)],
                .mechanisms: [
                    Self.version("moment-tensor", "us", "m", 1, weight: 1, values),
                    Self.version("moment-tensor", "us", "n", 1, weight: 2, placed),
                    Self.version(
                        "focal-mechanism", "us", "f", 2, weight: 9,
                        [.strike1: .real(1), .dip1: .real(2), .rake1: .real(3)]),
                ],
            ]))
        let mechanisms = event.all("focalMechanism")
        #expect(mechanisms.count == 3 && event["preferredFocalMechanismID"]?.text == mechanisms[1].publicID)
        #expect(mechanisms[0]["momentTensor/derivedOriginID"]?.text == event["preferredOriginID"]?.text)
        let centroid = event.all("origin").last
        #expect(mechanisms[1]["momentTensor/derivedOriginID"]?.text == centroid?.publicID)
        #expect(mechanisms[1]["momentTensor/tensor/Mtp/value"]?.text == "5e+18")
        #expect(mechanisms[1]["nodalPlanes/nodalPlane2/rake/value"]?.text == "1.1e+19")
        #expect(mechanisms[2]["momentTensor"] == nil && mechanisms[2]["nodalPlanes/nodalPlane1/dip/value"]?.text == "2")
    }

    @Test("XML markup in a place name is escaped in QuakeML") func escaping() throws {
        let source = "\"><x>&#0;\u{1}\u{FFFE}]]>"
        let history = SolutionHistory([.origins: [Self.version("origin", source, "a/b?c", 0, weight: 1, Self.origin)]])
        let event = try event(history) {
            $0.place = source
            $0.eventType = "<sorcery>"
        }
        #expect(event["description/text"]?.text == "\"><x>&#0;\u{FFFD}\u{FFFD}]]>")
        #expect(event["type"]?.text == "other event" && event.all("x").isEmpty)
    }

    @Test("Tabs and line breaks in a text are kept in QuakeML, as references") func lineBreaks() throws {
        let event = try event(nil) { $0.place = "1 km\tN\r\nof A" }
        #expect(event["description/text"]?.text == "1 km\tN\r\nof A")
    }
}
