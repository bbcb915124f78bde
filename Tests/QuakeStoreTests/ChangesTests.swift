import QuakeTestSupport
import QuakeEditing
import QuakeStore
import Testing

/// The order, pages, filters and net effects that `changes` promises.
@Suite("Changes in the history", .scratch) final class ChangesTests: SuiteWithCache {
    @Test("A page of changes never splits a transaction, even one larger than the page limit")
    func pageEndsWithTransaction() throws {
        try context.write { writer in
            for index in 0..<10_000 { try writer.insert(.sample("us70\(index)"), reason: .new) }
        }
        var descriptor = HistoryDescriptor()
        descriptor.limit = 100
        var end = try #require(try context.end(descriptor))
        #expect(end.count == 10_000 && !end.hasMore && end.token == end.newest)
        try context.revise(1) { $0.magnitude = 1 }
        end = try #require(try context.end(descriptor))
        #expect(end.count == 10_000 && end.hasMore && end.token.number == 1)
        descriptor.start = .token(end.token)
        end = try #require(try context.end(descriptor))
        #expect(end.count == 1 && !end.hasMore && end.token == end.newest)
    }

    @Test("hasMore is false if none of the remaining changes match the filter") func hasMore() throws {
        try context.record(.sample("us70a", magnitude: 5))
        try context.record(.sample("us70b", magnitude: 1))
        var descriptor = HistoryDescriptor()
        descriptor.limit = 1
        descriptor.filter.minimumMagnitude = 4
        let end = try #require(try context.end(descriptor))
        #expect(!end.hasMore && end.count == 1 && end.token == end.newest)
    }

    @Test("Resuming from the token of any change skips none of the later changes") func tokenOfEachChange() throws {
        try context.write { writer in
            for index in 0..<3 { try writer.insert(.sample("us70\(index)"), reason: .new) }
        }
        try context.revise(1) { $0.magnitude = 1 }
        let changes = try context.relevantChanges()
        #expect(changes.map { $0.token?.number } == [0, 0, 1, 2])
        for (index, change) in changes.enumerated() {
            let token = try #require(change.token)
            #expect(try context.history.fault(of: token) == nil)
            let rest = try context.relevantChanges(HistoryDescriptor(start: .token(token)))
            #expect(Set(rest.map(\.change.id)).isSuperset(of: changes[(index + 1)...].map(\.change.id)))
        }
        // Records filtered out of a transaction do not affect the position of its last record.
        var descriptor = HistoryDescriptor()
        descriptor.quakeKeys = [2]
        #expect(try context.relevantChanges(descriptor).map { $0.token?.number } == [1])
    }

    // Proves feature B7 of seeds.md.
    @Test("A revision out of the filter is reported as a leave, and one into the filter as an enter")
    func leaveAndEnter() throws {
        let key = try context.record(.sample(magnitude: 4.6))
        let start = try context.history.currentToken()
        try context.revise(key) { $0.magnitude = 4.3 }
        try context.revise(key) { $0.magnitude = 4.6 }
        var descriptor = HistoryDescriptor(start: .token(start))
        let all = try context.end(descriptor)
        descriptor.filter.minimumMagnitude = 4.5
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.leave, .enter])
        #expect(try context.end(descriptor)?.token == all?.token)
        descriptor.isCoalesced = true
        #expect(try context.relevantChanges(descriptor) == [])
        #expect(try context.end(descriptor)?.token == all?.token)
    }

    // Proves feature B7 of seeds.md.
    @Test("A request for changes of source properties omits changes of felt reports")
    func changedProperties() throws {
        let key = try context.record(.sample())
        let start = try context.history.currentToken()
        try context.revise(key) { $0.feltReports = 12 }
        var descriptor = HistoryDescriptor(start: .token(start))
        descriptor.changedProperties = QuakeProperty.Group.source.properties
        let end = try context.end(descriptor)
        #expect(end?.count == 0)
        #expect(try end?.token == context.history.currentToken())
        descriptor.changedProperties = QuakeProperty.Group.impact.properties
        #expect(try context.end(descriptor)?.count == 1)
        // An update by which the quake enters the filter changes its magnitude, but not its felt reports.
        descriptor.filter.minimumMagnitude = 6
        try context.revise(key) { $0.magnitude = 7 }
        #expect(try context.end(descriptor)?.count == 0)
        descriptor.changedProperties = [.mag]
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.enter])
    }

    @Test("With maximumOriginAge, the net effect on a quake is as old as its first change") func ageOfNetEffect() throws
    {
        let start = try context.history.currentToken()
        let key = try context.record(.sample("us70", minutesAgo: 5))
        scratch.clock.advance(by: .seconds(3 * 3600))
        try context.revise(key) { $0.magnitude = 7 }
        var descriptor = HistoryDescriptor(after: start, isCoalesced: true)
        descriptor.maximumOriginAge = .seconds(3600)
        #expect(try context.relevantChanges(descriptor).map(\.change.after?.magnitude) == [7])
    }

    @Test("With maximumOriginAge, quakes that are too old or in the future are skipped and counted") func timeliness()
        throws
    {
        try context.record(.sample("us70new", minutesAgo: 5))
        try context.record(.sample("us1925", minutesAgo: 53_000_000))
        try context.record(.sample("us70ahead", minutesAgo: -2))
        let key = try context.record(.sample("us70late", magnitude: 4, minutesAgo: 90))
        try context.revise(key) { $0.magnitude = 5 }
        #expect(try context.relevantChanges().map(\.timeliness) == [nil, .old, .future, .old, nil])
        var descriptor = HistoryDescriptor()
        descriptor.maximumOriginAge = .seconds(3600)
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.insert, .update])
        descriptor.filter.minimumMagnitude = 4.5
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.insert])
        descriptor.maximumOriginAge = .seconds(7200)
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.insert, .enter])
        let skipped = try #require(try context.end(descriptor)).skipped
        #expect(skipped.count == 2 && skipped.largest?.id == "us1925")
        // The age is measured when the cache learned of the quake, so a reader hours later misses nothing.
        scratch.clock.advance(by: .seconds(6 * 3600))
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.insert, .enter])
        // A page counts the records skipped up to its token, and the next page counts the rest.
        descriptor.limit = 1
        let page = try #require(try context.end(descriptor))
        #expect((page.count, page.skipped.count, page.hasMore) == (1, 0, true))
        descriptor.start = .token(page.token)
        #expect(try context.end(descriptor)?.skipped.count == 2)
        (descriptor.start, descriptor.limit) = (.oldest, nil)
        // A net effect is as old as its first change.
        try context.revise(4) { $0.feltReports = 3 }
        descriptor.isCoalesced = true
        #expect(try context.relevantChanges(descriptor).map(\.operation) == [.insert, .insert])
        #expect(try context.end(descriptor)?.skipped.count == 2)
        descriptor.isCoalesced = false
        scratch.clock.advance(by: .seconds(-6 * 3600))
        // A reader that must start over is not alerted to old quakes either.
        _ = try context.history.trim(through: context.history.currentToken().number)
        try context.revise(key) { $0.magnitude = 5.1 }
        descriptor.start = .transaction(0)
        let resynced = try context.events(descriptor).compactMap {
            if case .resync(let quake) = $0 { quake } else { nil }
        }
        #expect(resynced.map(\.stored.key) == [1, 4])
    }

    // Proves feature B7 of seeds.md.
    @Test("An author filter selects changes by who made them, not by who last changed the quake") func authors() throws
    {
        let other = try QuakeContext(scratch.store, author: "other")
        let key = try context.record(.sample())
        let start = try context.history.currentToken()
        try context.revise(key) { $0.magnitude = 5 }
        try other.revise(key) { $0.place = "elsewhere" }
        var descriptor = HistoryDescriptor(start: .token(start))
        descriptor.excludedAuthors = ["other"]
        #expect(try context.relevantChanges(descriptor).map(\.change.changed) == [[.mag]])
        descriptor.isCoalesced = true
        #expect(try context.relevantChanges(descriptor).map(\.change.changed) == [[.mag, .place]])
        descriptor.excludedAuthors = ["other", "test"]
        #expect(try context.end(descriptor)?.count == 0)
        (descriptor.isCoalesced, descriptor.excludedAuthors, descriptor.authors) = (false, [], ["other"])
        #expect(try context.relevantChanges(descriptor).map(\.change.changed) == [[.place]])
    }

    // Proves feature B6 of seeds.md.
    @Test("Each change contains the quake's values before and after the change") func valuesBeforeAndAfter() throws {
        let key = try context.record(.sample(magnitude: 4).with { $0.publishedTitle = "Felt report" })
        try context.revise(key) {
            $0.magnitude = 5
            $0.publishedTitle = nil
        }
        try context.revise(key) { $0.magnitude = 6 }
        let changes = try context.relevantChanges().map(\.change)
        #expect(changes.map { $0.before?.magnitude } == [nil, 4, 5])
        #expect(changes.map { $0.after?.magnitude } == [4, 5, 6])
        #expect(changes.map { $0.after?.publishedTitle } == ["Felt report", nil, nil])
        #expect(changes[1].before?.publishedTitle == "Felt report")
        #expect(changes[1].changed == [.mag])
    }

    @Test(
        "In the view changes_v1, a revision shows only changed properties, with unrounded numbers",
        arguments: [4.6, 5, 1e16, 1e-5, 0.1 + 0.2, 1.3799999952316284, 0.0007856687599966581])
    func changesView(number: Double) throws {
        let key = try context.record(.sample().with { $0.residualSeconds = number })
        try context.revise(key) { ($0.magnitude, $0.alert) = (5.5, "green") }
        try context.revise(key) { ($0.alert, $0.nearestStationDegrees) = (nil, number) }
        let rows = try SQLiteFile(path: scratch.path).rows("SELECT before, after FROM changes_v1 ORDER BY change_id")
            .map { [$0["before"]?.text, $0["after"]?.text] }
        try #require(rows.count == 3)
        #expect(rows[0][0] == nil && rows[0][1]?.contains(#""mag":4.6,"#) == true, "\(rows[0])")
        #expect(rows[1] == [#"{"mag":4.6,"alert":null}"#, #"{"mag":5.5,"alert":"green"}"#])
        #expect(rows[2][0] == #"{"alert":"green","dmin":null}"#)
        let after = try #require(rows[2][1])
        #expect(after.hasPrefix(#"{"alert":null,"dmin":"#) && Double(after.dropFirst(21).dropLast()) == number)
    }

    @Test("In the view changes_v1, extra is an object in before and after, and may be null") func extraInView() throws {
        let key = try context.record(.sample().with { $0.extra = #"{"a":{"b":1}}"# })
        try context.revise(key) { $0.extra = #"{"a":{"b":2}}"# }
        try context.revise(key) { $0.extra = nil }
        let query = """
            SELECT json_extract(before, '$.extra.a.b') AS old, json_extract(after, '$.extra.a.b') AS new,
                json_type(after, '$.extra') AS type FROM changes_v1 ORDER BY change_id
            """
        let rows = try SQLiteFile(path: scratch.path).rows(query)
        #expect(rows.map { $0["old"]?.integer } == [nil, 1, 2] && rows.map { $0["new"]?.integer } == [1, 2, nil])
        #expect(rows.map { $0["type"]?.text } == ["object", "object", "null"])
    }

    @Test("A request for net changes combines all changes of a quake into at most one") func netEffects() throws {
        func delete(_ key: QuakeKey) throws {
            let stored = try #require(try context.quake(key: key))
            try context.write { try $0.delete(stored, reason: .retracted) }
        }
        for index in 1...4 { try context.record(.sample("us70\(index)")) }
        let start = try context.history.currentToken()
        try context.record(.sample("us70new"))
        try context.revise(5) { $0.magnitude = 1 }
        try context.record(.sample("us70gone"))
        try delete(6)
        try context.revise(1) { $0.magnitude = 1 }
        try context.revise(1) { $0.place = "here" }
        try context.revise(2) { $0.magnitude = 1 }
        try context.revise(2) { $0.magnitude = 4.6 }
        try context.revise(3) { $0.magnitude = 1 }
        try delete(3)
        try delete(4)
        try context.write { try $0.insert(.sample("us704", magnitude: 7), reason: .restored, key: 4) }
        var descriptor = HistoryDescriptor(start: .token(start))
        descriptor.isCoalesced = true
        let changes = try context.relevantChanges(descriptor)
        #expect(changes.map(\.change.quakeKey) == [5, 1, 3, 4])
        #expect(changes.map(\.operation) == [.insert, .update, .delete, .update])
        #expect(changes.map(\.change.changed) == [[], [.mag, .place], [], [.mag]])
        #expect(changes[2].change.before?.magnitude == 4.6)
        #expect(changes.allSatisfy { $0.token == nil })
    }

    // Proves promise 7 of reliability.md.
    @Test("One fetch of changes reads a single state, even if others write during the fetch") func fetchSeesOneState()
        throws
    {
        for index in 0..<3 { try context.record(.sample("us70\(index)")) }
        let reader = try QuakeContext(scratch.store, access: .reading)
        let head = try context.history.currentToken()
        var count = 0
        try reader.history.fetch { event in
            if count == 0 { try context.record(.sample("us70late")) }
            count += 1
            if case .end(let end) = event { #expect(end.newest == head && end.count == 3) }
        }
        #expect(count == 4)
    }

    @Test("A transaction without changes is not recorded in the history") func emptyTransaction() throws {
        let head = try context.history.currentToken()
        let origin = TransactionOrigin(purpose: "all_day", provenance: .init(url: "file"))
        try context.write(origin) { _ in }
        #expect(try context.history.currentToken() == head)
        try context.write(origin) { try $0.insert(.sample(), reason: .new) }
        let transaction = try #require(try context.history.transaction(1))
        #expect(transaction.provenance == origin.provenance)
        #expect(transaction.counts.inserted == 1 && transaction.counts.total == 1)
    }

    // Proves feature B8 of seeds.md.
    @Test("Merging changes into a fetched list gives the same list as a new fetch") func mergeIntoList() throws {
        for number in 1...50 { try editor.insert(.sample("us\(number)", magnitude: Double(number) / 10)) }
        try editor.save()
        let descriptor = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 3), sortBy: .magnitude)
        var list = try context.fetch(descriptor)
        let (before, token) = (list, try context.history.currentToken())

        let other = try QuakeContext(scratch.store, author: "other")
        let otherEditor = QuakeEditor(other)
        for (id, magnitude) in [("usnew", 3.3), ("us1", 6), ("us40", 1), ("us45", 5.1)] {
            try otherEditor.insert(.sample(id, magnitude: magnitude))
        }
        try otherEditor.delete(try #require(try other.quake(id: "us50")))
        try otherEditor.save()

        #expect(try context.merge(after: token, into: &list, fetchedBy: descriptor) == context.history.currentToken())
        #expect(try list == context.fetch(descriptor))
        let changes = ListChanges(from: before, to: list)
        #expect(changes.inserted == [1, 51] && changes.updated == [45] && changes.removed == [50, 40])
    }
}
