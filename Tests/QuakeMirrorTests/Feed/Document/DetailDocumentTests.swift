import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Responses about one quake and its solutions") struct DetailDocumentTests {
    /// A line of TRUTH.jsonl or STEPS.jsonl: a solution, and the moment since which it has been preferred.
    struct Step: Codable, Hashable {
        var event: String
        var published: String
        var source: String
        var code: String
        var mag: Double?
        var magType: String?
        var lat: Double
        var lon: Double
        var depth: Double?
        var status: String?
        var time: String?

        init(_ step: SolutionStep, of event: String, withTime: Bool) throws {
            let version = step.version
            (self.event, published) = (event, step.since.iso8601)
            (source, code) = (version.source, version.code)
            (mag, magType) = (version.number(.mag), version.text(.magType))
            (lat, lon) = (try #require(version.number(.lat)), try #require(version.number(.lon)))
            (depth, status) = (version.number(.depth), version.text(.status))
            time = withTime ? version.time?.iso8601 : nil
        }

        static func lines(of data: Data) throws -> [Step] {
            try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Step.self, from: Data($0)) }
        }
    }

    private let fixture: Data

    init() throws {
        fixture = try Fixture.data("details/us7000zzay.geojson")
    }

    @Test("The preferred origins of four real quakes match those found by a separate program", .needsRealData)
    func realQuakes() throws {
        let directory = "detail/superseded"
        var truth = try Step.lines(of: RealData.data("\(directory)/TRUTH.jsonl"))
        // The other program did not know that `trump-origin` made this solution the preferred one years earlier.
        let named = try #require(truth.firstIndex { $0.source == "official" })
        truth[named].published = "2016-11-07T22:33:57.068Z"
        let events = Set(truth.map(\.event)).sorted()
        #expect(truth.count == 19 && events.count == 4)
        for event in events {
            let body = try RealData.unzipped("\(directory)/\(event).geojson.gz")
            let document = try DetailDocument(body)
            // Some versions of PAGER have a number of people instead of the intensity.
            #expect(document.skipped.allSatisfy { $0.id?.hasPrefix("losspager") == true }, "\(document.skipped)")
            #expect(
                try document.history.preferredOverTime(.origins).map { try Step($0, of: event, withTime: true) }
                    == truth.filter { $0.event == event })
            // The last step matches the service's values for the quake.
            let quake = try EventDocument(body).quake
            let last = try #require(document.history.quake(withIDsOf: quake))
            #expect(last.magnitude == quake.magnitude && last.magnitudeType == quake.magnitudeType)
            #expect(last.hypocenter == quake.hypocenter && last.originTime == quake.originTime)
            #expect(last.status == quake.status && last.alert == quake.alert)
        }
    }

    @Test(
        "A real response about a quake has the feed's values and the uncertainties of its preferred origin",
        .needsRealData,
        arguments: [
            ("nn00536452", [.real(0.98), .real(1.4), .real(0.38), .integer(9), .text("nn"), .text("nn")]),
            ("us10004u1y", [.real(8), .real(1.8), .null, .null, .text("us"), .text("us")]),
        ] as [(String, [QuakeValue])])
    func uncertainties(event: String, values: [QuakeValue]) throws {
        let body = try RealData.data("detail/\(event).geojson")
        let quake = try #require(try DetailDocument(body).quake)
        #expect(QuakeProperty.uncertainties.map { quake[$0] } == values)
        #expect(try quake.hasSameSolution(as: EventDocument(body).quake))
    }

    @Test("A response whose own values cannot be read still has its solutions, and reports the defect")
    func unreadableQuake() throws {
        let text = String(decoding: fixture, as: UTF8.self).replacing("-70.9417,-30.8856", with: "-70.9417,-130.8856")
        let document = try DetailDocument(Data(text.utf8))
        #expect(try document.quake == nil && document.history == DetailDocument(fixture).history)
        #expect(document.skipped.last?.words == "values of the quake: latitude cannot be -130.8856")
    }

    @Test("The history of a quake's preferred origins omits deleted, repeated and empty products") func noSteps() throws
    {
        let steps = try DetailDocument(fixture).history.preferredOverTime(.origins)
        #expect(
            try steps.map { try Step($0, of: "us7000zzay", withTime: false) }
                == Step.lines(of: Fixture.data("details/STEPS.jsonl")))
    }

    @Test("An unreadable product in a response about a quake is skipped and reported") func unreadableProduct() throws {
        let document = try DetailDocument(fixture)
        #expect(
            document.skipped == [
                SkippedFeature(
                    position: 8, id: "origin pt ptzzay of 2026-03-14T07:42:00.000Z", defect: .missing("latitude")),
                SkippedFeature(
                    position: 9, id: "origin xx xxzzay of 2026-03-14T07:43:00.000Z",
                    defect: .wrongKind(member: "latitude", value: "nan", expected: "a number")),
            ])
        #expect(document.history[.origins].count == 8)
        #expect(document.ids == ["us7000zzay", "atzzay", "csnzzay"])
    }

    @Test("A focal mechanism with a moment tensor is preferred to one without, even of higher weight")
    func preferredMechanism() throws {
        let mechanisms = try DetailDocument(fixture).history[.mechanisms]
        let preferred = try #require(mechanisms.steps.last?.version)
        #expect(preferred.code == "us_7000zzay_mww" && preferred.text(.magType) == "Mww")
        let tensor = [1.41e18, -8e16, -1.33e18, 2.9e17, -1.62e18, 2.3e17]
        #expect(preferred.numbers(SolutionField.tensor) == tensor && preferred.momentTensor == tensor)
        #expect(SolutionField.planes.map(preferred.numbers) == [[2, 21, 101], [170, 69, 86]])
        #expect(
            SolutionField.axes.map(preferred.numbers) == [[75, 65, 2.16e18], [174, 4, -4e16], [265, 24, -2.12e18]])
        #expect([.moment, .doubleCouple, .mag, .depth].map { preferred.number($0) } == [2.14e18, 0.9734, 6.2, 40.5])
        #expect(preferred.epicenter?.latitude == -30.95)
        let other = mechanisms.first
        #expect(other?.text(.magType) == "Mwb" && other?.epicenter == nil && other?.time == nil)
        #expect(other?.number(.depth) == 39 && mechanisms.count == 3)
    }

    @Test("A moment tensor computed from a nodal plane alone resembles the published tensor") func tensorOfPlane()
        throws
    {
        let version = try #require(try DetailDocument(fixture).history.preferredOverTime(.mechanisms).last?.version)
        let tensor = try #require(version.momentTensor)
        var plane = version
        for field in SolutionField.tensor { plane.values?[field] = nil }
        let rebuilt = try #require(plane.momentTensor)
        func product(_ left: [Double], _ right: [Double]) -> Double {
            zip(zip(left, right), [1, 1, 1, 2, 2, 2]).reduce(0) { $0 + $1.0.0 * $1.0.1 * $1.1 }
        }
        let likeness = product(tensor, rebuilt) / (product(tensor, tensor) * product(rebuilt, rebuilt)).squareRoot()
        #expect(likeness > 0.9)
    }

    /// Returns the steps of origins by the networks us and ak, and of versions of `trump-origin`, each as
    /// `minute source code`.
    private func steps(_ origins: String..., trump: String...) throws -> [String] {
        func version(_ values: String, _ line: String) -> String {
            let words = line.split(separator: " ")
            return #"{"updateTime":\#(words[0])0000,"source":"\#(words[1])","code":"\#(words[2])","#
                + #""preferredWeight":\#(words[1] == "us" ? 9 : 1),\#(values)}"#
        }
        let solved = origins.map { line in
            let values = #""status":"UPDATE","properties":{"latitude":"\#(line.prefix(1))","longitude":"2","#
            return version(values + #""eventtime":"2026-03-14T00:00:00Z"}"#, line)
        }
        let pointers = trump.map { line in
            let target = line.split(separator: " ").dropFirst(3)
            guard let code = target.last else { return version(#""status":"DELETE""#, line) }
            let names = #"{"trump-source":"\#(target[target.startIndex])","trump-code":"\#(code)"}"#
            return version(#""status":"UPDATE","properties":\#(names)"#, line)
        }
        let body = Self.answer(
            "origin", solved.joined(separator: ",") + #"],"trump-origin":["# + pointers.joined(separator: ","))
        let document = try DetailDocument(body)
        #expect(document.skipped == [])
        return document.history.preferredOverTime(.origins).map { step in
            "\(step.since.milliseconds / 10_000) \(step.version.source) \(step.version.code)"
        }
    }

    @Test("An origin is preferred as long as a trump-origin product names it") func trumpOrigin() throws {
        let origins = ["1 ak a", "2 us u"]
        #expect(try steps("1 ak a", "2 us u") == origins)
        #expect(try steps("1 ak a", "2 us u", trump: "3 admin x ak a") == origins + ["3 ak a"])
        // The versions that follow, of either.
        #expect(try steps("1 ak a", "2 us u", "5 us u", trump: "3 admin x ak a") == origins + ["3 ak a"])
        #expect(try steps("1 ak a", "2 us u", "5 ak a", trump: "3 admin x ak a") == origins + ["3 ak a", "5 ak a"])
        // The pointer is deleted, or names the other one.
        #expect(
            try steps("1 ak a", "2 us u", trump: "3 admin x ak a", "6 admin x") == origins + ["3 ak a", "6 us u"])
        #expect(
            try steps("1 ak a", "2 us u", trump: "3 admin x ak a", "6 admin x us u") == origins + ["3 ak a", "6 us u"])
        // It was there first, or names nothing.
        #expect(try steps("2 us u", "4 ak a", trump: "3 admin x ak a") == ["2 us u", "4 ak a"])
        #expect(try steps("1 ak a", "2 us u", trump: "3 admin x nn n") == origins)
    }

    @Test("A quake's history lists felt reports, alerts and intensities only when they change") func impacts() throws {
        let course = try DetailDocument(fixture).history[.impacts]
        func values(_ product: String, _ field: SolutionField) -> [QuakeValue] {
            course.filter { $0.product == product }.map { $0[field] }
        }
        #expect(values("dyfi", .responses) == [3, 58, 171, 214].map(QuakeValue.integer))
        #expect(values("losspager", .alert) == ["yellow", "green"].map(QuakeValue.text))
        #expect(values("shakemap", .intensity) == [6.9, 6.318].map(QuakeValue.real))
        #expect(course.map(\.published) == course.map(\.published).sorted())
    }

    @Test("A quake's values at an earlier time are those of the solution preferred at that time") func earlierTime()
        throws
    {
        let history = try DetailDocument(fixture).history
        let known = Quake(sample: "us7000zzay")
        func quake(_ moment: String) throws -> Quake? {
            history.until(try #require(Timestamp(iso8601: moment))).quake(withIDsOf: known)
        }
        #expect(try quake("2026-03-14T07:41:10.499Z") == nil)
        let first = try #require(try quake("2026-03-14T07:41:10.500Z"))
        #expect(first.magnitude == 6.5 && first.place == nil && first.sources.members == ["at"])
        #expect(first.updated == Timestamp(iso8601: "2026-03-14T07:41:10.500Z"))
        let second = try #require(try quake("2026-03-14T07:54:00Z"))
        #expect(second.magnitude == nil && second.status == "automatic" && second.feltReports == 58)
        #expect(second.updated == Timestamp(iso8601: "2026-03-14T07:50:00Z") && second.alert == nil)
        let last = try #require(try quake("2026-03-15"))
        #expect(last.magnitude == 6.2 && last.alert == "green" && last.instrumentalIntensity == 6.318)
        #expect(last.id == known.id && last.ids == known.ids)
        let states = history.states(before: try #require(Timestamp(iso8601: "2026-03-14T08:45:00Z")), withIDsOf: known)
        #expect(states.count == 11 && states.map(\.since) == states.map(\.since).sorted())
        #expect(states.last?.quake.magnitude == 6.4)
    }

    // MARK: Bad responses

    @Test(
        "A body that is not a response about a quake is rejected with an error",
        arguments: [
            ("", .empty), ("<html>", nil), ("[]", nil), (#"{"type":"FeatureCollection"}"#, nil),
            (#"{"type":"Feature"}"#, nil), (String(repeating: " ", count: 8 << 20 | 1), .tooLarge(limit: 8 << 20)),
            // As in a summary feed.
            (
                #"{"type":"Feature","id":"us1","geometry":{"type":"Point","coordinates":[1,2,3]},"properties":{"net":"us","#
                    + #""code":"1","time":1,"updated":2}}"#, .withoutProducts
            ),
        ] as [(String, DocumentError?)])
    func invalidBody(body: String, expected: DocumentError?) throws {
        let error = #expect(throws: DocumentError.self) { _ = try DetailDocument(Data(body.utf8)) }
        if let expected { #expect(error == expected) }
    }

    @Test("A response about a quake is rejected wherever it is cut off") func truncatedResponse() throws {
        for length in stride(from: 1, to: fixture.count - 1, by: 97) {
            #expect(throws: DocumentError.self) { _ = try DetailDocument(fixture.prefix(length)) }
        }
    }

    @Test("Of 10,000 versions of an origin, the newest 2,000 are kept and the limit is reported") func tooManyVersions()
        throws
    {
        let versions = (0..<10_000).map {
            #"{"source":"us","code":"c\#($0 % 7)","updateTime":\#($0),"preferredWeight":1,"properties":{"latitude":"1","#
                + #""longitude":"2","eventtime":"2026-03-14T00:00:00Z","magnitude":"\#(Double($0 % 90) / 10)"}}"#
        }
        let document = try DetailDocument(Self.answer("origin", versions.joined(separator: ",")))
        #expect(document.history[.origins].count == 2000)
        #expect(document.history[.origins].first?.published == Timestamp(milliseconds: 8000))
        #expect(document.skipped.map(\.words) == ["origin: it has more than 2000 versions; only the newest are kept"])
    }

    @Test(
        "A product version with an impossible required value, such as latitude, is skipped",
        arguments: [
            (#""latitude":"91","longitude":"2""#, false), (#""latitude":"1e400","longitude":"2""#, false),
            (#""latitude":"0x10","longitude":"2""#, false), (#""latitude":" 1","longitude":"2""#, false),
            (#""latitude":"1","longitude":"2","magnitude":"abc""#, false),
            (#""latitude":"1","longitude":"2","depth":"1e9""#, false),
            (#""latitude":"1","longitude":"2","standard-error":"inf""#, true),
            (#""latitude":"1","longitude":"2","azimuthal-gap":"-1""#, true),
            (#""latitude":1,"longitude":2.5,"num-stations-used":"12.0""#, true),
            (#""latitude":"1","longitude":"2","magnitude":"","depth":null"#, true),
        ])
    func impossibleValue(properties: String, isKept: Bool) throws {
        let version =
            #"{"source":"us","code":"c","updateTime":5,"preferredWeight":1,"properties":{\#(properties),"#
            + #""eventtime":"2026-03-14T00:00:00Z"}}"#
        let good =
            #"{"source":"us","code":"d","updateTime":4,"properties":{"latitude":"1","longitude":"2","eventtime":"2026-03-14"}}"#
        let document = try DetailDocument(Self.answer("origin", "\(good),\(version)"))
        #expect(document.history[.origins].count == (isKept ? 2 : 1))
        #expect(document.history[.origins].last?.number(.rms) == nil)
        guard !isKept else { return }
        #expect(throws: DocumentError.withoutProducts) {
            try DetailDocument(Self.answer("origin", version))
        }
    }

    @Test(
        "A response about a quake is rejected if it has no readable origin",
        arguments: [
            #""origin":[5,6]"#, #""origin":[]"#, "",
            #""origin":[5],"losspager":[{"source":"us","code":"c","updateTime":5,"properties":{"alertlevel":"green"}}]"#,
        ])
    func nothingReadable(products: String) {
        let answer = #"{"id":"us1","properties":{"updated":2,"products":{\#(products)}}}"#
        #expect(throws: DocumentError.withoutProducts) {
            try DetailDocument(Data(answer.utf8))
        }
    }

    @Test(
        "An invalid entry between two product versions is skipped, and its position is reported",
        arguments: [
            "7", "null", "{}", #"{"source":"us"}"#, #"{"source":"u s","code":"c","updateTime":5}"#,
            #"{"source":"us","code":"\#(String(repeating: "c", count: 101))","updateTime":5}"#,
            #"{"source":"us","code":"c","updateTime":9000000000000000}"#,
            #"{"source":"us","code":"c","updateTime":"5"}"#,
        ])
    func invalidVersion(version: String) throws {
        let good =
            #"{"source":"us","code":"c","updateTime":5,"properties":{"latitude":"1","longitude":"2","eventtime":"2026-03-14"}}"#
        let document = try DetailDocument(Self.answer("origin", "\(good),\(version),\(good)"))
        #expect(document.history[.origins].count == 2)
        #expect(document.skipped.map(\.position) == [2])
    }

    private static func answer(_ type: String, _ versions: String) -> Data {
        Data(
            (#"{"type":"Feature","id":"us1","geometry":{"type":"Point","coordinates":[1,2,3]},"properties":{"net":"us","#
                + #""code":"1","time":1,"updated":2,"products":{"\#(type)":[\#(versions)],"poster":[{"strange":[]},7]}}}"#)
                .utf8)
    }
}
