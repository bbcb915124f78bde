import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature A6 of seeds.md.
@Suite("Sort order of a list") struct SortOrderTests {
    private static let point = GeographicPoint(latitude: 0, longitude: 0)
    private static let sorts: [QuakeSort] = [
        .time, .magnitude, .depth, .distance(from: [point]), .updated, .feltReports, .significance,
    ]

    /// The second has higher values than the first; the third has no magnitude, depth, reports or significance.
    private let quakes = [Quake](
        with: [(1, 10), (9, 400), (nil, nil)],
        [
            Quake(
                sample: "us1", at: Hypocenter(longitude: 1, latitude: 1, depthKilometers: 10), time: .sample,
                updated: .sample, magnitude: 2),
            Quake(
                sample: "us2", at: Hypocenter(longitude: 50, latitude: 50, depthKilometers: 70),
                time: .sample + .seconds(1), updated: .sample + .seconds(2), magnitude: 7),
            Quake(
                sample: "us3", at: Hypocenter(longitude: 10, latitude: 10, depthKilometers: nil),
                time: .sample + .milliseconds(1), updated: .sample + .milliseconds(1), magnitude: nil),
        ])

    @Test("A list sorted in either direction puts quakes without the sort value last") func directions() throws {
        let context = try QuakeContext(QuakeCache.inMemory())
        let editor = QuakeEditor(context)
        try editor.insert(contentsOf: quakes)
        try editor.save()
        func sorted(_ key: QuakeSortKey) throws -> [String] {
            try context.fetch(QuakeDescriptor(sortBy: [key])).map(\.quake.id)
        }
        for sort in Self.sorts {
            let canMiss = [.magnitude, .depth, .feltReports, .significance].contains(sort)
            let forward = canMiss ? ["us1", "us2", "us3"] : ["us1", "us3", "us2"]
            let reverse = canMiss ? ["us2", "us1", "us3"] : ["us2", "us3", "us1"]
            #expect(try sorted(QuakeSortKey(sort, order: .forward)) == forward, "\(sort)")
            #expect(try sorted(QuakeSortKey(sort, order: .reverse)) == reverse, "\(sort)")
        }
    }

    @Test("By default, lists sort by distance ascending and by any other key descending") func defaultOrder() {
        for sort in Self.sorts {
            let isDistance = sort == .distance(from: [Self.point])
            #expect(QuakeSortKey(sort).order == (isDistance ? .forward : .reverse), "\(sort)")
            #expect(QuakeDescriptor(sortBy: sort).sortKeys == [QuakeSortKey(sort)])
            #expect(QuakeDescriptor(sortBy: sort, order: .forward).sortKeys == [QuakeSortKey(sort, order: .forward)])
        }
    }

    @Test("A sort key's JSON names the order, such as \"forward\", and decodes to the same key") func encodedOrder()
        throws
    {
        let key = QuakeSortKey(.magnitude, order: .forward)
        let written = try JSONEncoder().encode(key)
        #expect(String(decoding: written, as: UTF8.self).contains(#""order":"forward""#))
        #expect(try JSONDecoder().decode(QuakeSortKey.self, from: written) == key)
    }
}

extension [Quake] {
    /// `quakes` with felt reports and significance.
    fileprivate init(with impacts: [(felt: Int?, significance: Int?)], _ quakes: [Quake]) {
        self = zip(quakes, impacts).map { quake, impact in
            var quake = quake
            (quake.feltReports, quake.significance) = impact
            return quake
        }
    }
}
