package import QuakeModel

extension ExpectedIntensity {
    /// The level with value and uncertainty: `IV light (4.1 ± 0.9)`.
    package var words: String {
        guard value >= 1 else { return level.description }
        let number = PlainNumber.text(value, decimals: 1)
        let deviation = PlainNumber.text(standardDeviation, decimals: 1)
        return "\(level) (\(number) ± \(deviation)\(assumesDepth ? "; depth unknown, 10 km assumed" : ""))"
    }
}
