/// Reads the members of one feature's properties, each once, in the order of ``PropertyKey``. A member that is null is as
/// good as missing.
protocol PropertyReader {
    mutating func text(_ key: PropertyKey) throws -> String?
    mutating func number(_ key: PropertyKey) throws -> Double?
    /// An integer, also one that is written as a float: `5.0`.
    mutating func integer(_ key: PropertyKey) throws -> Int64?
}

/// The members of a GeoJSON object, each found by its name.
struct KeyedPropertyReader: PropertyReader {
    private let container: KeyedDecodingContainer<PropertyKey>

    init(_ container: KeyedDecodingContainer<PropertyKey>) {
        self.container = container
    }

    func text(_ key: PropertyKey) throws -> String? {
        try container.decodeIfPresent(String.self, forKey: key)
    }

    func number(_ key: PropertyKey) throws -> Double? {
        try container.decodeIfPresent(Double.self, forKey: key)
    }

    func integer(_ key: PropertyKey) throws -> Int64? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: key)
        } catch {
            // 5.5 is reported as damaged JSON, without saying where.
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a whole number")
        }
    }
}

/// The members of a row, each found by its turn.
struct RowPropertyReader: PropertyReader {
    private var row: any UnkeyedDecodingContainer
    private var turn = 0

    init(_ row: any UnkeyedDecodingContainer) {
        self.row = row
    }

    mutating func text(_ key: PropertyKey) throws -> String? {
        take(key)
        return try row.decodeIfPresent(String.self)
    }

    mutating func number(_ key: PropertyKey) throws -> Double? {
        take(key)
        return try row.decodeIfPresent(Double.self)
    }

    mutating func integer(_ key: PropertyKey) throws -> Int64? {
        take(key)
        return try row.decodeIfPresent(Int64.self)
    }

    /// A row has no names: asked out of turn, it would give another member's value.
    private mutating func take(_ key: PropertyKey) {
        precondition(PropertyKey.allCases[turn] == key)
        turn += 1
    }
}
