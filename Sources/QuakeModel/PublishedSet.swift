/// One of the feed's comma-wrapped sets: `ids`, `sources`, `types`.
///
/// The feed writes `,us,at,` and changes the order at will, so two sets are equal when they hold the same members (rule
/// 12 of the mirror rules: another order is not a change). `ids` and `sources` of a quake are parallel lists: the
/// network of the third id is the third source.
public struct PublishedSet: Sendable {
    /// The set as the feed writes it, in its order and with its repetitions: `,us,at,`. Empty text for the empty set.
    public let text: String

    /// The set of the members that `published` names between commas.
    public init(_ published: String) {
        self.init(canonical: PublishedSet.isWrapped(published) ? published : PublishedSet.wrapped(published.parts))
    }

    /// The set of `members`, in ascending order; empty ones are left out.
    public init(members: some Sequence<String>) { self.init(canonical: PublishedSet.wrapped(Set(members).sorted())) }

    /// A set from the ``text`` of another one, which is not checked.
    package init(canonical text: String) { self.text = text }

    /// The members, sorted, each once.
    public var members: [String] {
        let parts = text.parts
        return zip(parts, parts.dropFirst()).allSatisfy(<) ? parts : Set(parts).sorted()
    }

    private static func wrapped(_ members: [String]) -> String {
        let named = members.filter { !$0.isEmpty }
        return named.isEmpty ? "" : "," + named.joined(separator: ",") + ","
    }

    /// Whether `text` has commas around and between members. Mostly it has.
    private static func isWrapped(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let comma = UInt8(ascii: ",")
            guard bytes.count > 2, bytes.first == comma, bytes.last == comma else { return bytes.isEmpty }
            return bytes.indices.dropFirst().allSatisfy { bytes[$0] != comma || bytes[$0 - 1] != comma }
        }
    }
}

extension String {
    /// The parts between commas. By bytes, because a comma and a combining mark are one `Character`.
    fileprivate var parts: [String] { utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } }
}

extension PublishedSet: Hashable {
    /// Whether both have the same members.
    public static func == (left: PublishedSet, right: PublishedSet) -> Bool {
        left.text == right.text || left.members == right.members
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// A set is coded as its ``PublishedSet/text``.
extension PublishedSet: Codable {
    /// Reads members between commas. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
