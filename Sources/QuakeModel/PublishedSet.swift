/// One of the feed's comma-wrapped sets: `ids`, `sources`, `types`.
///
/// The feed writes `,us,at,` and changes the order at will, so members are kept sorted and once each; two sets are
/// equal when they hold the same members (rule 12 of the mirror rules: another order is not a change).
public struct PublishedSet: Hashable, Sendable {
    /// The set as the feed writes it, members sorted: `,at,us,`. Empty text for the empty set.
    public let text: String

    /// The set of the members that `published` names between commas.
    public init(_ published: String) {
        if PublishedSet.isCanonical(published) {
            self.init(canonical: published)
        } else if !published.utf8.contains(UInt8(ascii: ",")) {
            self.init(canonical: "," + published + ",")
        } else {
            self.init(members: PublishedSet.parts(of: published))
        }
    }

    /// The set of `members`; empty ones are left out.
    public init(members: some Sequence<String>) {
        var unique: [String] = []
        for member in members.filter({ !$0.isEmpty }).sorted() where member != unique.last { unique.append(member) }
        text = unique.isEmpty ? "" : "," + unique.joined(separator: ",") + ","
    }

    /// Whether `text` is in the form of ``text`` already: commas around and between ascending members. Mostly it is.
    private static func isCanonical(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let comma = UInt8(ascii: ",")
            guard bytes.count > 2, bytes[0] == comma, bytes[bytes.count - 1] == comma else { return bytes.isEmpty }
            var previous = 0..<0
            var start = 1
            for end in 1..<bytes.count where bytes[end] == comma {
                let member = start..<end
                guard !member.isEmpty,
                    previous.isEmpty || bytes[previous].lexicographicallyPrecedes(bytes[member])
                else { return false }
                previous = member
                start = end + 1
            }
            return true
        }
    }

    /// A set from the ``text`` of another one, which is not checked.
    package init(canonical text: String) { self.text = text }

    /// The members, sorted.
    public var members: [String] { PublishedSet.parts(of: text) }

    /// The parts between the commas of `text`. By bytes, because a comma and a combining mark are one `Character`.
    private static func parts(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
    }
}

/// A set is coded as its ``PublishedSet/text``.
extension PublishedSet: Codable {
    /// Reads members between commas. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
