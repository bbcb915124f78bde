/// Reads each of its properties once, in their order, from a feature or row. Null means missing.
protocol PropertyReader {
    static var properties: [QuakeProperty] { get }

    mutating func text(_ key: QuakeProperty) throws -> String?
    mutating func number(_ key: QuakeProperty) throws -> Double?
    /// Reads an integer, which may be written as a float: `5.0`.
    mutating func integer(_ key: QuakeProperty) throws -> Int64?
}

extension PropertyReader {
    static var properties: [QuakeProperty] { QuakeProperty.inFeed }
}
