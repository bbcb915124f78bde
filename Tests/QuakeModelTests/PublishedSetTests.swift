import QuakeModel
import QuakeTestSupport
import Testing

@Suite("Sets as published in a feed") struct PublishedSetTests {
    @Test(
        "A published set is read as its members, sorted and without repetitions",
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

    @Test("A set of hundreds of thousands of members is read", .endsInTime)
    func manyMembers() {
        let count = 400_000
        let published = String(repeating: "a,", count: count) + (0..<count).map { "z\($0)" }.joined(separator: ",")
        #expect(PublishedSet(published).members.count == count + 1)
    }
}
