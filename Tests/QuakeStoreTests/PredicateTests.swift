import Foundation
import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

/// A `#Predicate` accepts the same quakes in a query as in memory.
@Suite("Fetching by predicate", .scratch) struct PredicateTests {
    /// Texts that are equal in Swift but not in SQL, or vice versa.
    private static let texts = ["Éboulement", "E\u{301}boulement", "\u{212A}ilauea", "Kilauea", "", ";", "\u{37E}"]
    private static let numbers: [Double] = [-1, -0.0, 0, 0.5, 4.35, 4.4, 5, 600.5]

    private static let quakes: [Quake] = {
        var random = SplitMix64(state: 212)
        func number() -> Double? { Bool.random(using: &random) ? numbers.randomElement(using: &random) : nil }
        func text() -> String? { Int.random(in: 0...3, using: &random) > 0 ? texts.randomElement(using: &random) : nil }
        return (0..<120).map { index in
            var quake = Quake(
                net: index.isMultiple(of: 3) ? "us" : "K", code: "\(index)",
                originTime: Timestamp(milliseconds: Int64(index / 4) * 1000),
                updated: Timestamp(milliseconds: Int64(index) * 500),
                hypocenter: Hypocenter(longitude: Double(index), latitude: 5, depthKilometers: number()))
            (quake.magnitude, quake.place, quake.eventType, quake.status) = (number(), text(), text(), text())
            quake.feltReports = number().map { Int($0) }
            return quake
        }
    }()

    private static func filled() throws -> QuakeContext {
        let (_, context) = try ScratchStore.ofTest()
        let editor = QuakeEditor(context)
        try editor.insert(contentsOf: quakes)
        try editor.save()
        return context
    }

    private func check(
        _ context: QuakeContext, _ predicate: Predicate<Quake>, _ note: String = "",
        location: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = try context.fetch().filter { try $0.quake.matches(predicate) }
        let descriptor = QuakeDescriptor(predicate: predicate)
        #expect(try context.fetch(descriptor) == wanted, "\(note)", sourceLocation: location)
        #expect(try context.fetchCount(descriptor) == wanted.count, "\(note)", sourceLocation: location)
        let page = try context.fetch(QuakeDescriptor(predicate: predicate, limit: 3, offset: 2))
        #expect(page == Array(wanted.dropFirst(2).prefix(3)), "\(note)", sourceLocation: location)
        let keys = try context.fetchIdentifiers(descriptor)
        #expect(keys == wanted.map(\.key), "\(note)", sourceLocation: location)
    }

    @Test("A predicate selects the same quakes when fetching, enumerating, following or deleting") func everyUse()
        async throws
    {
        let context = try Self.filled()
        let editor = QuakeEditor(context)
        let predicate = #Predicate<Quake> { ($0.magnitude ?? 0) > 4 && $0.net == "us" }
        let descriptor = QuakeDescriptor(predicate: predicate)
        let wanted = try context.fetch(descriptor)
        #expect(!wanted.isEmpty)
        #expect(try context.fetch(descriptor, batchSize: 2).flatMap { try $0.quakes() } == wanted)
        var quakes: [StoredQuake] = []
        try context.enumerate(descriptor) { quakes.append($0) }
        #expect(quakes == wanted)
        try context.enumerate(descriptor, batchSize: 2) { quakes += $0 }
        #expect(quakes == wanted + wanted)
        var merged: [StoredQuake] = []
        let zero = try context.history.token(afterTransaction: 0)
        try context.merge(after: zero, into: &merged, fetchedBy: descriptor)
        #expect(merged == wanted)
        var list = context.cache.quakes(matching: descriptor).makeAsyncIterator()
        #expect(try await list.next() == wanted)
        try editor.delete(where: predicate)
        #expect(editor.pendingChanges == wanted.map(PendingChange.delete))
        try editor.save()
        #expect(try context.fetchCount(descriptor) == 0)
        #expect(try context.fetchCount() == Self.quakes.count - wanted.count)
    }

    @Test("A quake that lacks a value does not match a predicate that unwraps this value") func missingValue() throws {
        let (_, context) = try ScratchStore.ofTest()
        let editor = QuakeEditor(context)
        try editor.insert(.sample("us1").with { ($0.place, $0.eventType) = ("here", nil) })
        try editor.insert(.sample("us2").with { ($0.place, $0.eventType) = ("here", "x") })
        try editor.save()
        func ids(_ predicate: Predicate<Quake>) throws -> [String] {
            let descriptor = QuakeDescriptor(predicate: predicate)
            #expect(try editor.fetch(descriptor) == context.fetch(descriptor))
            return try context.fetch(descriptor).map(\.quake.id)
        }
        #expect(try ids(#Predicate { $0.place! == "here" && $0.eventType! > "a" }) == ["us2"])
        #expect(try ids(#Predicate { !($0.eventType! == "y") }) == ["us2"])
        #expect(try ids(#Predicate { $0.eventType! == "x" || $0.place! == "here" }) == ["us2"])
        #expect(try ids(#Predicate { $0.place! == "here" || $0.eventType! == "x" }).count == 2)
        let flat = Quake.sample("us1").with { $0.hypocenter.depthKilometers = nil }
        try editor.update(#require(try context.quake(id: "us1")), to: flat)
        let deep = QuakeDescriptor(predicate: #Predicate { $0.hypocenter.depthKilometers! > -200 })
        #expect(try editor.fetch(deep).map(\.quake.id) == ["us2"])
        try editor.delete(where: #Predicate { $0.eventType! == "x" })
        #expect(try editor.deletedQuakes.map(\.quake.id) == ["us2"])
    }

    @Test("Common number and time comparisons in predicates become SQL with the same results") func commonComparisons()
        throws
    {
        let context = try Self.filled()
        let (moment, types) = (Timestamp(milliseconds: 9000), ["earthquake", "éboulement"])
        let (day, hour) = (moment...moment + .seconds(5), moment..<moment + .seconds(5))
        let other: Quake? = Self.quakes[20]
        let written: [(Predicate<Quake>, conditions: [String])] = [
            (#Predicate { ($0.magnitude ?? 0) >= 4.4 && $0.originTime > moment }, ["ifnull(mag, ?) >= ?", "time > ?"]),
            (
                #Predicate { (4.35...5).contains($0.magnitude ?? -9) },
                ["ifnull(mag, - ?) >= ?", "ifnull(mag, - ?) <= ?"]
            ),
            (#Predicate { if let magnitude = $0.magnitude { magnitude < 4.4 } else { false } }, ["mag < ?"]),
            (#Predicate { $0.magnitude != nil && $0.magnitude! > 4 }, ["mag > ?"]),
            (#Predicate { $0.feltReports == 5 && $0.hypocenter.latitude < 6 }, ["felt IS ?", "lat < ?"]),
            (#Predicate { $0.hypocenter.longitude > -120 }, ["lon > - ?"]),
            (#Predicate { day.contains($0.originTime) }, ["time >= ?", "time <= ?"]),
            (#Predicate { hour.contains($0.originTime) }, ["time >= ?", "time < ?"]),
            (#Predicate { -(-$0.hypocenter.latitude) > 4 }, ["- - lat > ?"]),
            (#Predicate { $0.magnitude == $0.communityIntensity }, ["mag IS cdi"]),
            (#Predicate { $0.derivedTitle.contains("M 5") && ($0.magnitude ?? 0) > 1 }, ["ifnull(mag, ?) > ?"]),
            (#Predicate { quake in if let other { quake.originTime > other.originTime } else { false } }, []),
            (#Predicate { $0.magnitude == nil || $0.feltReports != nil }, []),
            (#Predicate { !($0.magnitude == 4.35) && $0.net == "us" }, []),
            (#Predicate { $0.place?.contains(";") == true }, []), (#Predicate { $0.eventType == "Éboulement" }, []),
            (#Predicate { types.contains($0.eventType ?? "") && ["us", "ci"].contains($0.net) }, []),
        ]
        for (predicate, conditions) in written {
            #expect(PredicateSQL(predicate).conditions == conditions)
            try check(context, predicate)
        }
    }

    @Test(
        "Random predicates select the same quakes in SQL as in Swift",
        arguments: Thoroughness.seeds(400, of: 10_000, orOnly: "QUAKES_PREDICATE"))
    func randomPredicates(seeds: Range<Int>) throws {
        let context = try Self.filled()
        var narrowed = 0
        for seed in seeds {
            var tree = RandomPredicate(
                random: SplitMix64(state: UInt64(seed)), texts: Self.texts, numbers: Self.numbers)
            let predicate = Predicate<Quake>({ tree.expression(on: $0, depth: 3) })
            let sql = PredicateSQL(predicate)
            narrowed += sql.conditions.isEmpty ? 0 : 1
            try check(context, predicate, "seed \(seed): \(sql.conditions)")
        }
        #expect(narrowed * 10 > seeds.count, "\(narrowed)")
    }

    @Test("An editor's fetch by predicate includes its unsaved changes") func pendingChanges() throws {
        let context = try Self.filled()
        let editor = QuakeEditor(context)
        let large = try #require(try context.quake(id: "us3"))
        try editor.update(large, to: large.quake.with { $0.magnitude = 9 })
        try editor.insert(.sample("us900", magnitude: 9))
        let descriptor = QuakeDescriptor(predicate: #Predicate { (8..<10).contains($0.magnitude ?? 0) })
        let found = try editor.fetch(descriptor)
        #expect(Set(found.map(\.quake.id)) == ["us3", "us900"])
        #expect(try context.fetch(descriptor).isEmpty)
    }
}

extension Quake {
    /// Whether the predicate accepts the quake without unwrapping a value that the quake lacks.
    fileprivate func matches(_ predicate: Predicate<Quake>) throws -> Bool {
        do {
            return try predicate.evaluate(self)
        } catch let error as PredicateError where error == .forceUnwrapFailure {
            return false
        }
    }
}

/// Creates trees of the expressions that `#Predicate` creates.
private struct RandomPredicate {
    typealias Build = PredicateExpressions
    typealias Condition = any StandardPredicateExpression<Bool>
    typealias Variable = PredicateExpressions.Variable<Quake>

    var random: SplitMix64
    let texts: [String]
    let numbers: [Double]

    mutating func expression(on quake: Variable, depth: Int) -> Condition {
        guard depth > 0, Int.random(in: 0...4, using: &random) > 0 else { return leaf(quake) }
        let first = expression(on: quake, depth: depth - 1)
        switch Int.random(in: 0...2, using: &random) {
        case 0: return negation(first)
        case 1: return both(first, expression(on: quake, depth: depth - 1))
        default: return either(first, expression(on: quake, depth: depth - 1))
        }
    }

    private func negation(_ one: some StandardPredicateExpression<Bool>) -> Condition { Build.build_Negation(one) }

    private func both(
        _ one: some StandardPredicateExpression<Bool>, _ other: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Conjunction(lhs: one, rhs: other) }

    private func either(
        _ one: some StandardPredicateExpression<Bool>, _ other: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Disjunction(lhs: one, rhs: other) }

    private mutating func leaf(_ quake: Variable) -> Condition {
        Bool.random(using: &random)
            ? leaf(quake, Build.build_KeyPath(root: quake, keyPath: \.magnitude))
            : leaf(
                quake,
                Build.build_KeyPath(
                    root: Build.build_KeyPath(root: quake, keyPath: \.hypocenter), keyPath: \.depthKilometers))
    }

    private mutating func leaf(
        _ quake: Variable, _ optional: some StandardPredicateExpression<Double?>
    ) -> Condition {
        let number = numbers.randomElement(using: &random) ?? 0
        let text = texts.randomElement(using: &random) ?? ""
        let moment = Timestamp(milliseconds: .random(in: 0...30, using: &random) * 1000)
        let place = Build.build_KeyPath(root: quake, keyPath: \.place)
        let time = Build.build_KeyPath(root: quake, keyPath: \.originTime)
        let other = numbers.randomElement(using: &random) ?? 0
        switch Int.random(in: 0...8, using: &random) {
        case 0: return Build.build_Equal(lhs: optional, rhs: Build.build_Arg(number as Double?))
        case 1: return Build.build_NotEqual(lhs: optional, rhs: Build.build_NilLiteral())
        case 2:
            return Build.build_Comparison(
                lhs: Build.build_NilCoalesce(lhs: optional, rhs: Build.build_Arg(other)), rhs: Build.build_Arg(number),
                op: [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual].randomElement(using: &random)
                    ?? .lessThan)
        case 3:
            return Build.build_NilCoalesce(
                lhs: Build.build_flatMap(optional) {
                    Build.build_Comparison(lhs: $0, rhs: Build.build_Arg(number), op: .lessThan)
                }, rhs: Build.build_Arg(Bool.random(using: &random)))
        case 4: return Build.build_Equal(lhs: place, rhs: Build.build_Arg(text as String?))
        case 5: return Build.build_Comparison(lhs: time, rhs: Build.build_Arg(moment), op: .greaterThanOrEqual)
        case 6:
            return Build.build_contains(
                Build.build_ClosedRange(
                    lower: Build.build_Arg(min(number, other)), upper: Build.build_Arg(max(number, other))),
                Build.build_NilCoalesce(lhs: optional, rhs: Build.build_Arg(-9)))
        case 7:
            return Build.build_Comparison(
                lhs: Build.build_ForcedUnwrap(optional), rhs: Build.build_Arg(number),
                op: Bool.random(using: &random) ? .greaterThan : .lessThan)
        default:
            return Build.build_Equal(lhs: optional, rhs: Build.build_KeyPath(root: quake, keyPath: \.magnitude))
        }
    }
}
