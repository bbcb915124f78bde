import Glibc
import QuakeModel

// How reports for people write counts, sizes, durations, moments and columns.

extension BinaryInteger {
    /// The number and its noun: `1 quake`, `24 quakes`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

    /// A number of bytes in a suitable unit: `812 bytes`, `76 KiB`, `1.8 MiB`.
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

extension Duration {
    /// The duration in the largest unit of which there are at least two, rounded down: `90 s`, `15 min`, `3 days`.
    var words: String {
        let seconds = components.seconds
        if seconds < 1 { return "less than 1 s" }
        for (unit, length) in [("days", Int64(86_400)), ("hours", 3600), ("min", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }
}

extension Timestamp {
    /// The moment as ISO 8601, or as epoch milliseconds.
    func words(usesEpochTime: Bool) -> String {
        usesEpochTime ? String(milliseconds) : iso8601
    }
}

extension HistoryChange {
    /// The change as text: `mag 4.6 → 4.3, updated …`.
    func words(usesEpochTime: Bool = false) -> String {
        switch effect {
        case .insert(let quake): return quake.title
        case .update(let before, let after, let changed):
            return changed.map { property in
                let sides = [before, after].map { $0[property].words(of: property, usesEpochTime: usesEpochTime) }
                return "\(property.rawValue) \(sides.joined(separator: " → "))"
            }.joined(separator: ", ")
        case .delete(let tombstone, let survivor):
            return survivor.map { "into quake \($0): \(tombstone.title)" } ?? tombstone.title
        }
    }
}

extension QuakeValue {
    /// The value as text.
    func words(of property: QuakeProperty, usesEpochTime: Bool = false) -> String {
        switch self {
        case .null: "none"
        case .integer(let value):
            property.kind == .time
                ? Timestamp(milliseconds: value).words(usesEpochTime: usesEpochTime) : String(value)
        case .real(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
        case .text(let text): text
        }
    }
}

extension String {
    /// The text followed by spaces up to `width` characters, at least one, so that columns never touch.
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}

/// The system's text for an error number.
enum SystemError {
    static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
