extension BinaryInteger {
    /// The number with a comma before every three digits: `12,345`.
    package var grouped: String {
        let digits = Array("\(magnitude)")
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// The number and its noun: `1 quake`, `12,345 quakes`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
