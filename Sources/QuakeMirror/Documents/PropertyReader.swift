/// Reads each property of a feature once, in the order of `QuakeProperty.inFeed`. Null means missing.
protocol PropertyReader {
    mutating func text(_ key: QuakeProperty) throws -> String?
    mutating func number(_ key: QuakeProperty) throws -> Double?
    /// Reads an integer, which may be written as a float: `5.0`.
    mutating func integer(_ key: QuakeProperty) throws -> Int64?
}
