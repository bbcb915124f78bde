import ArgumentParser

/// A length on the command line: `20`, `20km`, `12 miles` or `700m`. A bare number is in kilometers.
enum LengthArgument {
    /// Returns the length in kilometers. Throws a usage error if `text` is not a length.
    static func parse(_ text: String) throws -> Double { try parts(of: text).kilometers }

    /// Returns the radius in kilometers. Throws a usage error if `text` is not a length, is negative, or has the unit
    /// `m` with a number so small that miles may be meant.
    static func parseRadius(_ text: String) throws -> Double {
        let length = try parts(of: text)
        guard length.amount >= 0 else { throw ValidationError("A length cannot be negative.") }
        guard length.unit != "m" || length.amount > milesToFarthestPlace else {
            throw ValidationError("In a radius, m may mean meters or miles; write km or mi.")
        }
        return length.kilometers
    }

    private static func parts(of text: String) throws -> (amount: Double, unit: Substring, kilometers: Double) {
        guard let match = text.trimmingSpaces.wholeMatch(of: /(.*?) *([A-Za-z]*)/)?.output, match.2 != "M",
            let unit = units[match.2.lowercased()], let amount = try FiniteNumber.find(match.1)
        else {
            throw ValidationError("A length is a number with km, mi or m, such as 20km; a bare number is in km.")
        }
        return (amount, match.2, amount * unit.kilometers / unit.count)
    }

    /// Half of the Earth's circumference in miles, rounded up. A larger number with the unit `m` can only be meters.
    private static let milesToFarthestPlace = 12_500.0

    /// The units by name. `count` units are `kilometers` long: 1 mi is 1.609344 km, and 1,000 m are 1 km.
    private static let units = Dictionary(
        uniqueKeysWithValues: [
            (1.0, LengthUnit.km.kilometersPerUnit, ["", "km", "kilometer", "kilometers", "kilometre", "kilometres"]),
            (1, LengthUnit.mi.kilometersPerUnit, ["mi", "mile", "miles"]),
            (1000, 1, ["m", "meter", "meters", "metre", "metres"]),
        ].flatMap { count, kilometers, names in names.map { ($0, (count: count, kilometers: kilometers)) } })
}
