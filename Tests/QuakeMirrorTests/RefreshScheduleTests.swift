import QuakeMirror
import Testing

@Suite("The feed that is due") struct RefreshScheduleTests {
    private let now = Timestamp.minute(0)

    /// Returns the feed that is due if feeds were last applied that many minutes ago.
    private func due(_ ages: [String: Int64]) -> String {
        let feeds = ages.map { name, minutes in
            var record = FeedRecord(name: name)
            record.applied = now - .seconds(minutes * 60)
            return record
        }
        return RefreshSchedule.dueFeed(feeds, now: now).description
    }

    private static let week: Int64 = 7 * 1440

    @Test(
        "Of the feeds due (all_month weekly, all_week daily, all_day hourly), the longest is chosen",
        arguments: [
            ([:], "all_month"), (["all_month": 0], "all_hour"), (["all_month": 59], "all_hour"),
            (["all_month": 60], "all_day"), (["all_month": 1439], "all_day"), (["all_month": 1440], "all_week"),
            (["all_month": week - 1], "all_week"), (["all_month": week], "all_month"),
            (["all_month": 100, "all_week": 30], "all_hour"),
            (["all_month": 2000, "all_week": 100, "all_day": 10], "all_hour"),
            (["all_day": 1, "all_hour": 1], "all_month"), (["all_month": 2000, "all_day": 1], "all_week"),
            // After a week's sleep every five minutes heal the gap: the month, then hours until a day is due.
            (["all_month": week + 5, "all_week": week, "all_day": week], "all_month"),
            (["all_month": 5, "all_week": week, "all_day": week], "all_hour"),
            (["all_month": 65, "all_week": week, "all_day": week], "all_day"),
        ] as [([String: Int64], String)])
    func longestDueFeed(ages: [String: Int64], feed: String) {
        #expect(due(ages) == feed)
    }

    @Test("all_month stays due after a feed such as 4.5_month is read or reading all_month fails") func otherFeeds() {
        #expect(due(["4.5_month": 1, "significant_week": 1, "https://example.org/q": 1]) == "all_month")
        var failed = FeedRecord(name: "all_month")
        failed.checked = now
        failed.error = "no response"
        #expect(RefreshSchedule.dueFeed([failed], now: now).description == "all_month")
    }

    @Test("After an archived all_month file is applied, the all_month feed is still due") func archivedFile() {
        var replayed = FeedRecord(name: "all_month")
        (replayed.applied, replayed.generated) = (now, now - .seconds(20 * 86_400))
        #expect(RefreshSchedule.dueFeed([replayed], now: now).description == "all_month")
        // A server that lags was queried all the same.
        replayed.checked = now
        #expect(RefreshSchedule.dueFeed([replayed], now: now).description == "all_hour")
    }

    @Test("A feed whose last read is in the future, because the clock was set back, is due") func futureTime() {
        #expect(due(["all_month": -10]) == "all_month")
    }
}
