import Foundation

/// How much of the random or exhaustive tests to run: a sample by default, everything under `make test-long`.
public enum Thoroughness {
    /// Whether to run everything, because `QUAKES_LONG_TESTS` is set.
    public static let isFull = ProcessInfo.processInfo.environment["QUAKES_LONG_TESTS"] != nil

    /// Returns `part` by default, or `all` for a full run.
    public static func count(_ part: Int, of all: Int) -> Int { isFull ? all : part }

    /// Returns the seeds from zero up, as one range for each case of a test: the first `part` by default, or `all` in
    /// ten ranges of equal length, which can run in parallel. If the variable called `name` is set, returns only its
    /// seeds, such as `17` or `17-40`.
    public static func seeds(_ part: Int, of all: Int, orOnly name: String? = nil) -> [Range<Int>] {
        let given = name.flatMap { ProcessInfo.processInfo.environment[$0] }?.split(separator: "-").compactMap {
            Int($0)
        }
        if let first = given?.first, let last = given?.last, first <= last { return [first..<last + 1] }
        return isFull ? (0..<10).map { $0 * all / 10..<($0 + 1) * all / 10 } : [0..<part]
    }

    /// Returns some elements of `all`, spread over it and including the last: `part` by default, or every one.
    public static func sample<Place>(_ part: Int, of all: [Place]) -> [Place] {
        guard !isFull, part < all.count else { return all }
        return (1...part).map { all[$0 * all.count / part - 1] }
    }
}
