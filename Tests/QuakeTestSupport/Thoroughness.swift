import Foundation

/// How often the tests repeat what is drawn at random: a part by default, everything under `make test-long`.
public enum Thoroughness {
    /// Whether everything is asked for: `QUAKES_LONG_TESTS` is set.
    public static let isFull = ProcessInfo.processInfo.environment["QUAKES_LONG_TESTS"] != nil

    /// `part` by default, `all` where everything is asked for.
    public static func count(_ part: Int, of all: Int) -> Int {
        isFull ? all : part
    }

    /// The seeds from zero up, `part` of them by default or `all`, in ten ranges of the same length: ten cases of one
    /// test, which can run side by side.
    public static func seeds(_ part: Int, of all: Int) -> [Range<Int>] {
        let length = count(part, of: all) / 10
        return (0..<10).map { $0 * length..<($0 + 1) * length }
    }
}
