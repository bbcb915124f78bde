import ArgumentParser
import QuakeModel

enum LengthUnit: String, WordArgument, Sendable {
    case km
    /// Statute miles of 1.609344 km.
    case mi

    static let synonyms = ["metric": LengthUnit.km, "kilometers": .km, "imperial": .mi, "miles": .mi]

    var kilometersPerUnit: Double { self == .km ? 1 : 1.609344 }

    func amount(ofKilometers kilometers: Double) -> Double { kilometers / self.kilometersPerUnit }

    /// Returns a length with at most `decimals` decimals and its unit: `23.4 km`.
    func lengthText(_ kilometers: Double, decimals: Int = 1) -> String {
        "\(PlainNumber.text(amount(ofKilometers: kilometers), decimals: decimals)) \(rawValue)"
    }

    /// Returns a depth and its unit: `23.4 km deep`, `0.8 km above sea level`.
    func depth(_ kilometers: Double) -> String {
        kilometers < 0 ? "\(lengthText(-kilometers)) above sea level" : "\(lengthText(kilometers)) deep"
    }

    /// Returns a distance as people say it: `420 m`, `4.2 km`, `42 km`.
    func distanceText(_ kilometers: Double) -> String {
        if self == .km, kilometers < 1 { return "\(Int((kilometers * 1000).rounded())) m" }
        let amount = amount(ofKilometers: kilometers)
        guard amount >= 1000 else { return lengthText(kilometers, decimals: amount < 10 ? 1 : 0) }
        return "\(Int(amount.rounded()).grouped) \(rawValue)"
    }
}
