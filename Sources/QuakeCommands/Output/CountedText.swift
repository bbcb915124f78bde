extension BinaryInteger {
    /// The number and what it counts: `1 quake`, `24 quakes`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

    /// The number of bytes in the unit that suits it: `812 bytes`, `76 KiB`, `1.8 MiB`.
    var byteWords: String {
        var size = Double(self)
        guard size >= 1024 else { return counted("byte") }
        var unit = "KiB"
        size /= 1024
        for next in ["MiB", "GiB", "TiB"] where size >= 1024 {
            size /= 1024
            unit = next
        }
        let tenths = Int((size * 10).rounded())
        return size < 10 && !tenths.isMultiple(of: 10)
            ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
    }
}
