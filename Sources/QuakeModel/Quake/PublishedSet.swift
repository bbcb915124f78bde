/// One of the feed's comma-delimited sets: `ids`, `sources` or `types`.
///
/// The feed writes the members in arbitrary order, such as `,us,at,`, so two sets are equal if they contain the same
/// members. The `ids` and `sources` of a quake are parallel lists: the third source is the network of the third id.
public struct PublishedSet: Sendable {
    /// The text as published, such as `,us,at,`, with its order and repetitions; empty for an empty set.
    public let text: String

    /// Creates a set from published text, whose members are separated by commas.
    public init(_ published: String) {
        self.init(canonical: PublishedSet.isWrapped(published) ? published : PublishedSet.wrapped(published.parts))
    }

    /// Creates a set of `members` in ascending order, omitting empty members.
    public init(members: some Sequence<String>) { self.init(canonical: PublishedSet.wrapped(Set(members).sorted())) }

    /// Creates a set from the ``text`` of another set without checking it.
    package init(canonical text: String) { self.text = text }

    /// The members, sorted and without duplicates.
    public var members: [String] {
        let parts = text.parts
        return zip(parts, parts.dropFirst()).allSatisfy(<) ? parts : Set(parts).sorted()
    }

    private static func wrapped(_ members: [String]) -> String {
        let named = members.filter { !$0.isEmpty }
        return named.isEmpty ? "" : "," + named.joined(separator: ",") + ","
    }

    /// Whether `text` has commas around and between its members, as published sets usually do.
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
    /// The parts between commas. The text is split as bytes, because a comma followed by a combining mark is a single
    /// `Character`.
    fileprivate var parts: [String] { utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// Calls `body` with each member of a published set.
    package func forEachWord(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        for end in 0...count where end == count || self[end] == UInt8(ascii: ",") {
            if start < end { body(UnsafeBufferPointer(rebasing: self[start..<end])) }
            start = end + 1
        }
    }
}

extension PublishedSet: Hashable {
    /// Whether both sets have the same members.
    public static func == (left: PublishedSet, right: PublishedSet) -> Bool {
        left.text == right.text || left.members == right.members
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// A set is encoded as its ``PublishedSet/text``.
extension PublishedSet: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
