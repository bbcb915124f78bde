import FoundationEssentials
import QuakeModel

/// The members of a feature's `properties` that this program understands.
enum PropertyKey: String, CodingKey, CaseIterable {
    case mag, place, time, updated, tz, url, detail, felt, cdi, mmi, alert, status, tsunami, sig, net, code, ids, sources,
        types, nst, dmin, rms, gap, magType, type, title
}

/// Reads the properties of one feature, and says of a wrong one what is wrong with it.
struct PropertyReader {
    private let container: KeyedDecodingContainer<PropertyKey>
    /// How many members were there, null or not.
    private(set) var found = 0

    init(_ container: KeyedDecodingContainer<PropertyKey>) {
        self.container = container
    }

    /// Whether the member is there with a value; counts it when it is there at all.
    private mutating func isPresent(_ key: PropertyKey) throws -> Bool {
        guard container.contains(key) else { return false }
        found += 1
        return try !container.decodeNil(forKey: key)
    }

    mutating func text(_ key: PropertyKey) throws -> String? {
        guard try isPresent(key) else { return nil }
        guard let text = try? container.decode(String.self, forKey: key) else {
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a text")
        }
        return text
    }

    mutating func number(_ key: PropertyKey) throws -> Double? {
        guard try isPresent(key) else { return nil }
        guard let number = try? container.decode(Double.self, forKey: key) else {
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a number")
        }
        return number
    }

    /// An integer, also one that is written as a float: `5.0`.
    mutating func integer(_ key: PropertyKey) throws -> Int64? {
        guard try isPresent(key) else { return nil }
        if let integer = try? container.decode(Int64.self, forKey: key) { return integer }
        guard let number = try? container.decode(Double.self, forKey: key), let integer = Int64(exactly: number) else {
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a whole number")
        }
        return integer
    }

    mutating func set(_ key: PropertyKey) throws -> PublishedSet? {
        try text(key).map { PublishedSet($0) }
    }

    mutating func requiredText(_ key: PropertyKey) throws -> String {
        guard let text = try text(key), !text.isEmpty else { throw FeatureDefect.missing(key.rawValue) }
        return text
    }

    mutating func requiredMoment(_ key: PropertyKey) throws -> Timestamp {
        guard let milliseconds = try integer(key) else { throw FeatureDefect.missing(key.rawValue) }
        let moment = Timestamp(milliseconds: milliseconds)
        guard Timestamp.representable.contains(moment) else {
            throw FeatureDefect.outOfRange(member: key.rawValue, value: "\(milliseconds)")
        }
        return moment
    }
}
