import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Saved filters and requests") struct SavedRequestTests {
    private static let filter = QuakeFilter(
        minimumMagnitude: 1, maximumMagnitude: 9, since: Timestamp(milliseconds: 1), until: Timestamp(milliseconds: 2),
        minimumDepthKilometers: 0, maximumDepthKilometers: 700,
        circles: [QuakeFilter.Circle(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 3)],
        placesContain: ["a"], regions: ["Alaska"], eventTypes: ["!earthquake"], statuses: ["reviewed"],
        networks: ["us"], magnitudeTypes: ["mww"], alerts: ["red"], minimumFeltReports: 1, minimumSignificance: 2,
        requiresTsunamiFlag: true,
        intensity: QuakeFilter.Intensity(places: [GeographicPoint(latitude: 1, longitude: 2)], minimumIntensity: 4))

    private static let request: HistoryDescriptor = {
        var request = HistoryDescriptor(start: .transaction(7))
        request.end = HistoryToken("q1.abc.9.00000001")
        request.filter = filter
        (request.operations, request.changedProperties) = ([.enter], [.mag])
        (request.deliveredProperties, request.quakeKeys) = ([.mag], [3])
        (request.authors, request.excludedAuthors) = (["a"], ["b"])
        (request.maximumOriginAge, request.limit, request.isCoalesced) = (.seconds(3600), 5, true)
        return request
    }()

    /// Encodes a value, and decodes it once without each of its members.
    private func withoutEachMember<Value: Codable & Equatable>(
        _ value: Value, _ body: (_ member: String, Value) throws -> Void
    ) throws -> Int {
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(Value.self, from: data) == value)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        for name in members.keys {
            let rest = try JSONSerialization.data(withJSONObject: members.filter { $0.key != name })
            try body(name, JSONDecoder().decode(Value.self, from: rest))
        }
        return members.count
    }

    @Test("A filter saved before a condition existed sets no such condition")
    func filterWithoutAMember() throws {
        let count = try withoutEachMember(Self.filter) { name, filter in
            #expect((filter == Self.filter) == (name == "boundingBoxes"), "\(name)")
            #expect(filter.conditions.count < Self.filter.conditions.count || name == "boundingBoxes", "\(name)")
        }
        #expect(count == 19)
        #expect(try JSONDecoder().decode(QuakeFilter.self, from: Data("{}".utf8)) == QuakeFilter())
    }

    @Test("A request for history saved before a member existed has the member's default")
    func requestWithoutAMember() throws {
        let count = try withoutEachMember(Self.request) { name, request in
            let isEmpty = ["operationReasons", "magnitudeSteps"].contains(name)
            #expect((request == Self.request) == isEmpty, "\(name)")
        }
        #expect(count == 14)
        #expect(try JSONDecoder().decode(HistoryDescriptor.self, from: Data("{}".utf8)) == HistoryDescriptor())
    }
}
