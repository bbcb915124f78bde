import Foundation

/// How much the tests try of what is random or exhaustive: a sample by default, everything under `make test-long`.
public enum Thoroughness {
    /// Whether everything is asked for: `QUAKES_LONG_TESTS` is set.
    public static let isFull = ProcessInfo.processInfo.environment["QUAKES_LONG_TESTS"] != nil

    /// `part` by default, `all` where everything is asked for.
    public static func count(_ part: Int, of all: Int) -> Int {
        isFull ? all : part
    }

    /// The seeds from zero up, a range for each case of a test: the first `part` by default, or `all` in ten ranges of
    /// the same length, which can run side by side. Where the variable called `name` is set, only the seeds that it
    /// gives: `17`, or `17-40`.
    public static func seeds(_ part: Int, of all: Int, orOnly name: String? = nil) -> [Range<Int>] {
        let given = name.flatMap { ProcessInfo.processInfo.environment[$0] }?.split(separator: "-").compactMap {
            Int($0)
        }
        if let first = given?.first, let last = given?.last, first <= last { return [first..<last + 1] }
        return isFull ? (0..<10).map { $0 * all / 10..<($0 + 1) * all / 10 } : [0..<part]
    }

    /// Some of `all`, spread over them, with the last: `part` by default, or every one.
    public static func sample<Place>(_ part: Int, of all: [Place]) -> [Place] {
        guard !isFull, part < all.count else { return all }
        return (1...part).map { all[$0 * all.count / part - 1] }
    }
}
