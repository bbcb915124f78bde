public import FoundationEssentials
import Glibc

/// Quakes by magnitude, in bins of 0.1: the bin of 4.5 holds magnitudes from 4.45 up to 4.55.
public struct MagnitudeCounts: Sendable {
    /// How many quakes a bin has, by ten times its magnitude.
    private var bins: [Int: Int] = [:]
    /// Quakes by whole magnitude, rounded down: 4 for 4.0 up to 5.0. Nil for those without a magnitude.
    public private(set) var classes: [Int?: Int] = [:]

    public init() {}

    /// Adds the magnitude of a quake. One beyond all sense counts as missing.
    public mutating func add(_ magnitude: Double?) {
        guard let magnitude, abs(magnitude) < 1000 else {
            classes[nil, default: 0] += 1
            return
        }
        classes[Int(magnitude.rounded(.down)), default: 0] += 1
        bins[Int((magnitude * 10 + 0.5).rounded(.down)), default: 0] += 1
    }

    /// The relation of Gutenberg and Richter for these magnitudes, or for those from `least` on where that is more than
    /// the estimated completeness.
    public func gutenbergRichter(from least: Double? = nil) throws(GutenbergRichter.Failure) -> GutenbergRichter {
        guard let most = bins.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }) else { throw .noMagnitudes }
        // Rounding may have put a magnitude such as 1.1 a little above its tenths.
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

    /// How many percent of the cumulative counts from a bin on lie on the line with slope `b`.
    private func fit(_ b: Double, from first: Int, count: Double) -> Double {
        var (left, sum, difference) = (count, 0.0, 0.0)
        for key in first...(bins.keys.max() ?? first) {
            sum += left
            difference += abs(left - count * pow(10, -b * Double(key - first) / 10))
            left -= Double(bins[key] ?? 0)
        }
        return 100 - 100 * difference / sum
    }
}

/// The relation of Gutenberg and Richter: of each magnitude on there are 10^b times as many quakes as of a magnitude
/// one larger.
public struct GutenbergRichter: Hashable, Sendable {
    /// The magnitude from which on the set is taken to be complete: the bin with the most quakes, plus 0.2 (maximum
    /// curvature; Wiemer and Wyss 2000, Woessner and Wiemer 2005), or the least that was asked for.
    public let completeness: Double
    /// How many quakes have that magnitude or more.
    public let count: Int
    /// The slope, by maximum likelihood (Aki 1965) with half a bin of 0.1 (Utsu 1966).
    public let b: Double
    /// The standard error of ``b`` (Shi and Bolt 1982).
    public let standardError: Double
    /// The goodness of fit in percent (Wiemer and Wyss 2000). Below ``leastFit`` the magnitudes do not follow the
    /// relation.
    public let fit: Double

    /// The minimum ``fit`` in percent for a meaningful b-value.
    public static let leastFit = 90.0
    /// The quakes that are needed.
    public static let leastCount = 50

    /// Why there is no slope.
    public enum Failure: Error, Hashable, Sendable {
        /// No quake has a magnitude.
        case noMagnitudes
        /// Fewer than ``leastCount`` quakes are as large as the completeness.
        case tooFew(Int, completeness: Double)
        /// The magnitudes hardly differ.
        case noSpread
    }
}

extension GutenbergRichter.Failure: LocalizedError {
    /// Why there is no slope.
    public var errorDescription: String? { "There is no b-value: \(words)." }

    /// Why there is no slope.
    package var words: String {
        switch self {
        case .noMagnitudes: "no quake has a magnitude"
        case .tooFew(let count, let completeness):
            "\(count.counted("quake")) of M \(Quake.titleMagnitude(completeness)) or more, and "
                + "at least \(GutenbergRichter.leastCount) are needed"
        case .noSpread: "the magnitudes are nearly all the same"
        }
    }
}
