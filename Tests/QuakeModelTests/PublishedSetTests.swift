import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Sets as published in a feed") struct PublishedSetTests {
    @Test(
        "A comma-separated list from a feed becomes a sorted set without duplicates",
        arguments: [
            (",us1,at2,", ["at2", "us1"]), ("us1", ["us1"]), ("", []), (",,", []), (",us1,us1,", ["us1"]),
            (",us1,\u{301}x,", ["us1", "\u{301}x"]), (",us1,\u{200D},", ["us1", "\u{200D}"]),
        ])
    func members(published: String, members: [String]) {
        let set = PublishedSet(published)
        #expect(set.members == members)
        #expect(set == PublishedSet(members: members))
        #expect(PublishedSet(canonical: set.text).members == members)
    }

    @Test("Parsing a comma-separated list of 800,000 members does not time out", .endsInTime)
    func manyMembers() {
        let count = 400_000
        let published = String(repeating: "a,", count: count) + (0..<count).map { "z\($0)" }.joined(separator: ",")
        #expect(PublishedSet(published).members.count == count + 1)
    }
}
