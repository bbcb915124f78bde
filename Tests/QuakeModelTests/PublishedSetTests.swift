import QuakeModel
import QuakeTestSupport
import Testing

@Suite("A set as the feed writes it") struct PublishedSetTests {
    @Test(
        "Its members stand between commas, whatever follows one, sorted and once each",
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

    @Test("Hundreds of thousands of members, half of them the same, are no work", .endsInTime)
    func manyMembers() {
        let count = 400_000
        let published = String(repeating: "a,", count: count) + (0..<count).map { "z\($0)" }.joined(separator: ",")
        #expect(PublishedSet(published).members.count == count + 1)
    }
}
