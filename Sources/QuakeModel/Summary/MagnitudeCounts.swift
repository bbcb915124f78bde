import FoundationEssentials
import Glibc

/// Counts of quakes by magnitude, in bins of 0.1. The bin for 4.5 contains magnitudes from 4.45 up to, but not
/// including, 4.55.
package struct MagnitudeCounts: Sendable {
    /// The number of quakes in each bin, keyed by ten times its magnitude.
    private var bins: [Int: Int] = [:]
    /// The number of quakes by magnitude rounded down: 4 for 4.0 up to 5.0. The key is nil for quakes without a
    /// magnitude.
    package private(set) var classes: [Int?: Int] = [:]

    package init() {}

    /// Adds the magnitude of a quake. An implausible value counts as missing.
    package mutating func add(_ magnitude: Double?) {
        guard let magnitude, abs(magnitude) < 1000 else {
            classes[nil, default: 0] += 1
            return
        }
        classes[Int(magnitude.rounded(.down)), default: 0] += 1
        bins[Int((magnitude * 10 + 0.5).rounded(.down)), default: 0] += 1
    }

    /// Returns the Gutenberg-Richter relation for magnitudes from the estimated magnitude of completeness on, or from
    /// `least` on if `least` is greater.
    package func gutenbergRichter(from least: Double? = nil) throws(GutenbergRichter.Failure) -> GutenbergRichter {
        guard let most = bins.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { throw .noMagnitudes }
        // Floating-point error may put a magnitude such as 1.1 slightly above its tenths.
        let leastKey = least.map { Int((min(max($0, -1000), 1000) * 10 - 1e-9).rounded(.up)) }
        let first = max(most.key + 2, leastKey ?? .min)
        let complete = bins.filter { $0.key >= first }.map {
            (above: Double($0.key - first) / 10, count: Double($0.value))
        }
        let count = complete.reduce(0) { $0 + $1.count }
        let completeness = Double(first) / 10
        guard count >= Double(GutenbergRichter.leastCount) else {
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

    /// Returns the percentage of the cumulative counts, from bin `first` on, that agrees with a line of slope `b`.
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

/// The Gutenberg-Richter relation: with each unit of magnitude, the number of quakes that large or larger falls by a
/// factor of 10^b.
package struct GutenbergRichter: Hashable, Sendable {
    /// The magnitude of completeness: the bin with the most quakes, the larger of equal ones, plus 0.2 (maximum
    /// curvature; Wiemer and Wyss 2000, Woessner and Wiemer 2005), or the requested minimum if that is greater.
    package let completeness: Double
    /// The number of quakes in the bin of ``completeness`` and above, which begins 0.05 below it.
    package let count: Int
    /// The slope by maximum likelihood (Aki 1965), corrected for half a bin of 0.1 (Utsu 1966).
    package let b: Double
    /// The standard error of ``b`` (Shi and Bolt 1982).
    package let standardError: Double
    /// The goodness of fit in percent (Wiemer and Wyss 2000). Below ``leastFit``, the relation does not hold.
    package let fit: Double

    /// The minimum ``fit`` in percent for a meaningful b-value.
    package static let leastFit = 90.0
    /// The minimum number of quakes required.
    package static let leastCount = 50

    /// Returns the lower bound of the bin of a magnitude: `1.45` for 1.5.
    package static func bound(_ magnitude: Double) -> String { PlainNumber.hundredths(magnitude - 0.05) }

    /// The reason that no slope could be estimated.
    package enum Failure: Error, Hashable, Sendable {
        /// No quake has a magnitude.
        case noMagnitudes
        /// Fewer than ``leastCount`` quakes reach the magnitude of completeness.
        case tooFew(Int, completeness: Double)
        /// All magnitudes at or above the magnitude of completeness are in one bin.
        case noSpread
    }
}

extension GutenbergRichter.Failure: LocalizedError {
    package var errorDescription: String? { "There is no b-value: \(words)." }

    package var words: String {
        switch self {
        case .noMagnitudes: "no quake has a magnitude"
        case .tooFew(let count, let completeness):
            "only \(count.counted("quake")) of M \(GutenbergRichter.bound(completeness)) or more, but "
                + "at least \(GutenbergRichter.leastCount) are needed"
        case .noSpread: "the magnitudes are nearly all the same"
        }
    }
}
