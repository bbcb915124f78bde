import Foundation

/// Compares the output shown in a document with a command's actual output.
///
/// The rule, as explained in tutorial.md: tokens, clock times and ages may differ (the fixtures happen on March 13 and
/// 14, 2026, so any other time comes from the clock). `…` stands for anything in a line, and on a separate line for any
/// lines.
enum OutputPattern {
    /// Whether `printed` matches `shown`.
    static func matches(_ printed: [String], _ shown: [String]) -> Bool {
        var shown = shown[...]
        var printed = printed[...]
        while let expected = shown.popFirst() {
            if expected == "…" {
                return (printed.startIndex...printed.endIndex).contains {
                    matches(Array(printed[$0...]), Array(shown))
                }
            }
            guard let line = printed.popFirst(), matches(line, expected) else { return false }
        }
        return printed.isEmpty
    }

    private static func matches(_ line: String, _ expected: String) -> Bool {
        var rest = masked(line)[...]
        let pieces = masked(expected).components(separatedBy: "…")
        guard pieces.count > 1 else { return rest == pieces[0] }
        guard rest.hasPrefix(pieces[0]) else { return false }
        rest = rest.dropFirst(pieces[0].count)
        for piece in pieces[1...].dropLast() where !piece.isEmpty {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pieces[pieces.count - 1])
    }

    private static func masked(_ line: String) -> String {
        line.replacing(/q1\.[0-9a-z]{13}\.\d+\.[0-9a-f]{8}/, with: "TOKEN")
            .replacing(/(?!2026-03-1[34])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, with: "MOMENT")
            .replacing(/^(?!2026-03-1[34])\d{4}-\d\d-\d\d UTC$/, with: "DAY")
            .replacing(/(?!2026-03-1[34])\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/, with: "MINUTE")
            .replacing(#/^\d\d:\d\d +/#, with: "HH:MM  ")
            .replacing(/[0-9.]+ (s|min|h|d|days?|hours?|minutes?|seconds?|years) ago */, with: "AGE ago ")
    }
}
