import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("What a cache can say at once", .scratch) final class RecentTests: SuiteWithCache {
    @Test("Of many ids those of the newest quakes are given, of few all, also former ones and those of deleted quakes")
    func ids() throws {
        try context.write { writer in
            for index in 0..<20 {
                try writer.insert(.sample("us7\(index)", minutesAgo: Int64(20 - index)), reason: .new)
            }
            let key = try writer.insert(.sample("ci1", minutesAgo: 0), reason: .new)
            try writer.assign(alias: "nn9", to: key)
        }
        let gone = try #require(try context.quake(forID: "us70"))
        try context.write { try $0.delete(gone, reason: .retracted) }
        #expect(try context.recentIDs(startingWith: "", count: 3).map(\.id) == ["ci1", "us719", "us718"])
        #expect(try context.recentIDs(startingWith: "US7", count: 3).map(\.id) == ["us719", "us718", "us717"])
        #expect(try context.recentIDs(startingWith: "nn", count: 3).map(\.id) == ["nn9"])
        let all = try context.recentIDs(startingWith: "us7", count: 30)
        #expect(all.count == 20 && all.first?.id == "us719" && all.last?.id == "us70" && all.last?.time == nil)
        #expect(try context.recentIDs(startingWith: "zz", count: 3).isEmpty)
    }

    @Test("Texts are sorted and each given once; a property without a column of text has none") func texts() throws {
        try context.write { writer in
            let types: [(String, String?)] = [
                ("us1", "quarry blast"), ("us2", "earthquake"), ("us3", "earthquake"), ("us4", nil),
            ]
            for (id, type) in types {
                try writer.insert(.sample(id).with { $0.eventType = type }, reason: .new)
            }
        }
        let types = try context.recentTexts(of: .type)
        #expect(types.texts == ["earthquake", "quarry blast"] && types.areAll)
        #expect(try context.recentTexts(of: .mag).texts.isEmpty)
        #expect(try context.recentTexts(of: .id).texts.isEmpty)
    }
}
