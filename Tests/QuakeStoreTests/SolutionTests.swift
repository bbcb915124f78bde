import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Stored solution histories", .scratch) final class SolutionTests: SuiteWithCache {
    private static let start = Timestamp.sample - .seconds(3600)

    private static func origin(_ source: String, after minutes: Int64, magnitude: Double?) -> SolutionVersion {
        SolutionVersion(
            product: "origin", source: source, code: source + "1", published: start + .seconds(60 * minutes), weight: 1,
            values: [
                .time: .integer(start.milliseconds), .lat: .real(20), .lon: .real(10 + Double(minutes)),
                .depth: .real(30.5), .mag: QuakeValue(magnitude), .magType: .text("mww"), .status: .text("reviewed"),
                .place: .text("5 km S of Pāhola"), .type: .text("earthquake"), .nph: .integer(12), .nst: .integer(7),
                .horizontalError: .real(4.25),
            ].filter { $1 != .null })
    }

    private static var history: SolutionHistory {
        let numbers = SolutionKind.mechanisms.fields.filter { $0.kind == .real }.enumerated()
        var values = Dictionary(uniqueKeysWithValues: numbers.map { ($1, QuakeValue.real(1.5e18 / Double($0 + 1))) })
        values[.time] = .integer(start.milliseconds)
        values[.magType] = .text("Mww")
        let plane: [SolutionField: QuakeValue] = [.strike1: .real(7), .dip1: .real(8), .rake1: .real(-9)]
        let mechanisms = [("moment-tensor", values), ("focal-mechanism", plane)].enumerated().map { index, version in
            SolutionVersion(
                product: version.0, source: "us", code: "m", published: start + .seconds(600 + Int64(index)),
                weight: -91, values: version.1)
        }
        let deleted = SolutionVersion(
            product: "origin", source: "at", code: "at1", published: start + .seconds(1500), weight: 1)
        return SolutionHistory([
            .origins: [origin("at", after: 10, magnitude: 8), origin("us", after: 20, magnitude: nil), deleted],
            .mechanisms: mechanisms,
            .impacts: [
                SolutionVersion(
                    product: "dyfi", source: "us", code: "", published: start + .seconds(700), weight: 0,
                    values: [.responses: .integer(12), .intensity: .real(4.4)])
            ],
        ])
    }

    /// Inserts a quake published at the sample time, with its solutions.
    private func firstSolution() throws -> Timestamp? {
        try context.session.database().timestamp("SELECT min(published) FROM main.solutions_v1")
    }

    private static func keep(_ context: QuakeContext, id: String = "us7000aa01") throws -> QuakeKey {
        let origin = TransactionOrigin(
            purpose: "all_day",
            provenance: HistoryTransaction.Provenance(generated: .sample, etag: nil, featureCount: 1))
        let key = try context.write(origin) { try $0.insert(.sample(id, magnitude: 7.9), reason: .new) }.result
        try note(history, context, key)
        return key
    }

    private static func note(_ history: SolutionHistory?, _ context: QuakeContext, _ key: QuakeKey) throws {
        let request = try #require(try context.detailRequests(ofKeys: [key]).first)
        let reception = try context.write {
            try $0.recordSolutions(history, answering: request, updated: request.updated, asOf: .sample)
        }.result
        #expect(reception == .stored)
    }

    @Test("A quake's solutions are stored without adding a transaction to the history") func roundTrip() throws {
        let key = try Self.keep(context)
        #expect(try context.solutions(ofKey: key) == Self.history)
        #expect(try context.history.currentToken().number == 1)
        var other = Self.history
        other.versions[.origins]?.removeLast()
        other.versions[.mechanisms] = nil
        try Self.note(other, context, key)
        #expect(try context.solutions(ofKey: key) == other)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    /// Stores a response about a quake, made after it, and returns whether the history has a new transaction.
    private func note(_ quake: Quake, _ key: QuakeKey) throws -> Bool {
        let before = try context.history.currentToken().number
        let request = try #require(try context.detailRequests(ofKeys: [key]).first)
        try context.write {
            _ = try $0.recordSolutions(
                Self.history, of: quake, answering: request, updated: quake.updated, asOf: .sample + .seconds(60))
        }
        return try context.history.currentToken().number != before
    }

    @Test("A response gives a quake its uncertainties, as a revision that can be undone") func uncertainties() throws {
        let quake = Quake.sample(magnitude: 7.9)
        let key = try context.record(quake, RowSource(hash: 7, sourceTime: 5))
        let record = quake.with {
            $0.horizontalErrorKilometers = 4.25
            $0.magnitudeSource = "us"
            $0.place = "elsewhere"
            $0.updated = $0.updated + .seconds(1)
        }
        #expect(try note(record, key))
        let revised = quake.with { ($0.horizontalErrorKilometers, $0.magnitudeSource) = (4.25, "us") }
        #expect(try context.quake(key: key)?.quake == revised)
        let known = try context.write { try $0.knownQuake(key) }.result
        #expect(known?.rowSource == RowSource(hash: 0, sourceTime: 5))
        #expect(try !note(record, key))
        let last = try context.history.currentToken().number
        try context.undo(transaction: last)
        #expect(try context.quake(key: key)?.quake == quake)
        #expect(try context.solutions(ofKey: key) == Self.history)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test(
        "A response keeps uncertainties if it has none, an older version's or another solution's",
        arguments: [
            { _ in },
            { ($0.horizontalErrorKilometers, $0.magnitude) = (1, 7.8) },
            { ($0.horizontalErrorKilometers, $0.hypocenter.latitude) = (1, 1) },
            { ($0.horizontalErrorKilometers, $0.updated) = (1, $0.updated - .seconds(1)) },
        ] as [@Sendable (inout Quake) -> Void])
    func otherUncertainties(change: @Sendable (inout Quake) -> Void) throws {
        let quake = Quake.sample(magnitude: 7.9)
        let cached = quake.with { $0.depthErrorKilometers = 3 }
        let key = try context.record(cached)
        #expect(try !note(quake.with(change), key))
        #expect(try context.quake(key: key)?.quake == cached && context.solutions(ofKey: key) == Self.history)
    }

    @Test("A quake's solutions are due to be requested once, and again after the quake changes") func dueRequests()
        throws
    {
        let key = try context.record(.sample())
        let other = try context.record(.sample("us7000aa02"))
        #expect(try context.detailRequests(ofKeys: nil).isEmpty)
        #expect(try context.detailRequests(ofKeys: [key, other, 99]).filter(\.isDue).map(\.key) == [key, other])
        try Self.note(nil, context, key)
        #expect(try context.detailRequests(ofKeys: [key, other]).filter(\.isDue).map(\.key) == [other])
        #expect(try context.detailRequests(ofKeys: nil).filter(\.isDue).isEmpty)
        #expect(try context.detailRequests(ofKeys: nil).map(\.key) == [key])
        #expect(try context.solutions(ofKey: key) == nil)
        try context.revise(key) { $0.updated = $0.updated + .seconds(1) }
        #expect(try context.detailRequests(ofKeys: nil).filter(\.isDue).map(\.key) == [key])
    }

    @Test("A response with a quake's solutions is ignored if it is older than the stored one")
    func olderResponse() throws {
        let key = try Self.keep(context)
        let request = try #require(try context.detailRequests(ofKeys: [key]).first)
        let older = try context.write {
            try $0.recordSolutions(
                SolutionHistory(), answering: request, updated: request.updated, asOf: .sample - .seconds(7_200))
        }.result
        #expect(try older == .isOlder && context.solutions(ofKey: key) == Self.history)
        try context.revise(key) { $0.updated = .sample + .seconds(600) }
        let revised = try #require(try context.detailRequests(ofKeys: [key]).first)
        for (minutes, isDue) in [(5, true), (15, false)] {
            _ = try context.write {
                let moment = Timestamp.sample + .seconds(60 * minutes)
                return try $0.recordSolutions(Self.history, answering: revised, updated: request.updated, asOf: moment)
            }
            #expect(try context.detailRequests(ofKeys: [key]).map(\.isDue) == [isDue])
        }
    }

    @Test("A purge hides a quake's solutions, and undoing the purge brings them back")
    func deletedQuake() throws {
        let key = try Self.keep(context)
        let published = try firstSolution()
        let purge = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        #expect(try context.solutions(ofKey: key) == nil && context.keysWithSolutions().isEmpty)
        #expect(try firstSolution() == nil && context.detailRequests(ofKeys: nil).isEmpty)
        try context.pin(to: .token(context.history.token(afterTransaction: purge.number.previous)))
        #expect(try context.solutions(ofKey: key) == Self.history)
        try context.unpin()
        #expect(try context.maintenance.verify(full: true).findings == [])

        let undo = try #require(try context.undo(transaction: purge.number).transaction)
        #expect(try context.solutions(ofKey: key) == Self.history)
        #expect(try firstSolution() == published && context.keysWithSolutions() == [key])
        #expect(try context.maintenance.verify(full: true).findings == [])

        try context.history.trim(through: undo.number)
        #expect(try context.solutions(ofKey: key) == Self.history)
        let last = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        try context.history.trim(through: last.number)
        for table in ["details", "products"] {
            #expect(try SQLiteFile(path: scratch.path).rows("SELECT * FROM \(table)").isEmpty)
        }
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("A response with the solutions of a quake that was purged since the request is ignored")
    func quakeDeletedMeanwhile()
        throws
    {
        let key = try context.record(.sample())
        let request = try #require(try context.detailRequests(ofKeys: [key]).first)
        _ = try context.maintenance.purge(QuakeFilter())
        let reception = try context.write {
            try $0.recordSolutions(Self.history, answering: request, updated: request.updated, asOf: .sample)
        }.result
        #expect(reception == .quakeIsGone)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("The state at a time before a quake's first snapshot shows the solution preferred then")
    func publicationTime() throws {
        let key = try Self.keep(context)
        try context.record(.sample("us7000zz99", minutesAgo: 100))
        func quake(after minutes: Int64) throws -> Quake? {
            try context.pin(to: .published(Self.start + .seconds(60 * minutes)))
            defer { try? context.unpin() }
            let quakes = try context.fetch()
            #expect(quakes.count <= 1 || minutes >= 60)
            #expect(try context.quake(id: "us7000aa01")?.quake == quakes.first { $0.key == key }?.quake)
            let until = Self.history.until(Self.start + .seconds(60 * minutes))
            #expect(try quakes.allSatisfy { $0.key != key } || context.solutions(ofKey: key) == until)
            return quakes.first { $0.key == key }?.quake
        }
        #expect(throws: StoreError.self) { try quake(after: 9) }
        #expect(try quake(after: 10)?.magnitude == 8)
        #expect(try quake(after: 10)?.hypocenter.longitude == 20)
        #expect(try quake(after: 11)?.feltReports == nil)
        #expect(try quake(after: 12)?.feltReports == 12)
        #expect(try quake(after: 19)?.magnitude == 8)
        let second = try #require(try quake(after: 20))
        #expect(second.magnitude == nil && second.hypocenter.longitude == 30 && second.status == "reviewed")
        #expect(second.place == "5 km S of Pāhola" && second.communityIntensity == 4.4)
        #expect(try quake(after: 59)?.magnitude == nil)
        #expect(try quake(after: 60)?.magnitude == 7.9)
        #expect(try context.quake(key: key)?.quake.magnitude == 7.9)
    }

    @Test("A quake retracted before a publication time is absent from the state at that time") func retractedByThen()
        throws
    {
        let key = try Self.keep(context)
        func origin(_ minutes: Int64) -> TransactionOrigin {
            TransactionOrigin(
                purpose: "all_day",
                provenance: HistoryTransaction.Provenance(
                    generated: .sample + .seconds(60 * minutes), etag: nil, featureCount: 1))
        }
        let stored = try #require(try context.quake(key: key))
        try context.write(origin(10)) { try $0.delete(stored, reason: .retracted) }
        try context.write(origin(20)) { try $0.insert(stored.quake, reason: .restored, key: key) }
        try Self.note(Self.history, context, key)
        try context.pin(to: .published(.sample + .seconds(15 * 60)))
        #expect(try context.fetch().isEmpty)
        try context.pin(to: .published(Self.start + .seconds(900)))
        #expect(try context.fetch().map(\.quake.magnitude) == [8])
    }

    @Test("States at publication times before the end of purged history cannot be read") func purgedHistory() throws {
        _ = try Self.keep(context)
        _ = try context.history.trim(through: try context.history.currentToken().number, force: true)
        #expect(throws: StoreError.self) { try context.pin(to: .published(Self.start + .seconds(900))) }
        try context.pin(to: .published(.sample))
        #expect(try context.fetch().map(\.quake.magnitude) == [7.9])
    }
}
