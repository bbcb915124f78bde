import Glibc
// Provides the standard library's canonical decomposition, which avoids linking Foundation and its ICU.
@_spi(_Unicode) import Swift

/// Converts text to a form in which it is compared byte by byte, both in memory and in SQL.
package enum TextFolding {
    /// Returns `text` in lowercase and without accents, for comparing place names: `Pāhala` becomes `pahala`.
    /// Every apostrophe becomes `'`.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var letters = String.UnicodeScalarView()
        for scalar in text._nfd where !isAccent(scalar) {
            letters.append(["‘", "’", "ʻ", "ʼ"].contains(scalar) ? "'" : scalar)
        }
        // Uppercasing before lowercasing turns ß into ss and ı into i, and makes ς and σ the same letter.
        return String(letters).uppercased().lowercased()
    }

    /// Whether the scalar is a combining mark that belongs to no particular script.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    /// Returns `text` with ASCII letters in lowercase and spaces instead of underscores: old feeds contain
    /// `quarry_blast`, new feeds `quarry blast`.
    package static func foldedWord(_ text: String) -> String {
        let bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 == UInt8(ascii: "_") ? 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Whether the text contains a zero byte, which C programs would treat as its end.
    package var hasZeroByte: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}
