/// Reads each of its ``members`` once, in order, from a feature or row. A null value counts as missing.
protocol PropertyReader {
    /// The properties that the feature or row may have, in the order of `QuakeProperty.inFeatures`.
    var members: [QuakeProperty] { get }
    mutating func text(_ key: QuakeProperty) throws -> String?
    mutating func number(_ key: QuakeProperty) throws -> Double?
    /// Reads an integer, which may be written as a float: `5.0`.
    mutating func integer(_ key: QuakeProperty) throws -> Int64?
}
