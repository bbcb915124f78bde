import QuakeModel

extension BinaryInteger {
    /// The number of bytes in a suitable unit: `812 bytes`, `76 KiB`, `1.8 MiB`.
    var byteWords: String {
        guard self >= 1024 else { return counted("byte") }
        var size = Double(self) / 1024
        var units = ["KiB", "MiB", "GiB", "TiB"]
        while size >= 1024, units.count > 1 {
            size /= 1024
            units.removeFirst()
        }
        let (whole, tenth) = Int((size * 10).rounded()).quotientAndRemainder(dividingBy: 10)
        return "\(whole)\(size < 10 && tenth > 0 ? ".\(tenth)" : "") \(units[0])"
    }
}
