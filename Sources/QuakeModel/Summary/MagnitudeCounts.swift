import Glibc

/// Counts of quakes by magnitude, in bins of 0.1. The bin for 4.5 contains magnitudes from 4.45 up to, but not
/// including, 4.55.
package struct MagnitudeCounts: Sendable {
    /// The number of quakes in each bin, keyed by ten times the magnitude at its center.
    private var bins: [Int: Int] = [:]
    /// The number of quakes by magnitude rounded down: 4 for 4.0 up to 5.0. The key is nil for quakes without a
    /// magnitude.
    package private(set) var classes: [Int?: Int] = [:]

    package init() {}

    /// Adds the magnitude of a quake. An implausible magnitude (1000 or more, -1000 or less, or NaN) counts as missing.
    package mutating func add(_ magnitude: Double?) {
        guard let magnitude, abs(magnitude) < 1000 else {
            classes[nil, default: 0] += 1
            return
        }
        classes[Int(magnitude.rounded(.down)), default: 0] += 1
        bins[Int((magnitude * 10 + 0.5).rounded(.down)), default: 0] += 1
    }

    /// The magnitude of completeness: see ``GutenbergRichter/completeness``. Nil without magnitudes.
    package var completeness: Double? { firstComplete.map { Double($0) / 10 } }

    /// The key of the bin of the magnitude of completeness; nil without magnitudes.
    private var firstComplete: Int? { bins.max { ($0.value, $0.key) < ($1.value, $1.key) }.map { $0.key + 2 } }

    /// Returns the Gutenberg-Richter relation for magnitudes from the estimated magnitude of completeness upward, or
    /// from `least` upward if `least` is greater.
    package func gutenbergRichter(from least: Double? = nil) throws(GutenbergRichter.Failure) -> GutenbergRichter {
        guard let firstComplete else { throw .noMagnitudes }
        // Because of floating-point error, ten times a magnitude such as 1.1 may be slightly more than 11.
        let leastKey = least.map { Int((min(max($0, -1000), 1000) * 10 - 1e-9).rounded(.up)) }
        let first = max(firstComplete, leastKey ?? .min)
        // Sort, because the order of the terms changes the last digits of the sums below.
        let complete = bins.filter { $0.key >= first }.sorted { $0.key < $1.key }.map {
            (above: Double($0.key - first) / 10, count: Double($0.value))
        }
        let count = complete.reduce(0) { $0 + $1.count }
        let completeness = Double(first) / 10
        guard count >= Double(GutenbergRichter.minimumCount) else {
            throw .tooFew(Int(count), completeness: completeness)
        }
        guard complete.count > 1 else { throw .noSpread }
        let mean = complete.reduce(0) { $0 + $1.count * $1.above } / count
        let squares = complete.reduce(0) { $0 + $1.count * ($1.above - mean) * ($1.above - mean) }
        let b = log10(exp(1)) / (mean + 0.05)
        return GutenbergRichter(
            completeness: completeness, count: Int(count), b: b,
            standardError: log(10) * b * b * (squares / (count * (count - 1))).squareRoot(),
            fit: fit(b, from: first, count: count))
    }

    /// Returns the percentage of the cumulative counts, from bin `first` upward, that agrees with the relation for `b`.
    private func fit(_ b: Double, from first: Int, count: Double) -> Double {
        var left = count
        var sum = 0.0
        var difference = 0.0
        for key in first...(bins.keys.max() ?? first) {
            sum += left
            difference += abs(left - count * pow(10, -b * Double(key - first) / 10))
            left -= Double(bins[key] ?? 0)
        }
        return 100 - 100 * difference / sum
    }
}
