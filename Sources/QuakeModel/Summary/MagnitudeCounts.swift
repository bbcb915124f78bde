public import FoundationEssentials
import Glibc

/// Quakes by magnitude, in bins of 0.1: the bin of 4.5 holds magnitudes from 4.45 up to 4.55.
public struct MagnitudeCounts: Sendable {
    /// Sums of what magnitudes differ by from the middle of their bin: of the magnitudes themselves so little would be
    /// left in the difference of two large sums that equal ones seemed to differ.
    private struct Bin {
        var count = 0
        var sum = 0.0
        var squares = 0.0
    }

    /// The bins by ten times their magnitude.
    private var bins: [Int: Bin] = [:]
    /// Quakes by whole magnitude, rounded down: 4 for 4.0 up to 5.0. Nil for those without a magnitude.
    public private(set) var classes: [Int?: Int] = [:]

    /// No magnitudes yet.
    public init() {}

    /// Adds the magnitude of a quake. One beyond all sense counts as missing.
    public mutating func add(_ magnitude: Double?) {
        guard let magnitude, abs(magnitude) < 1000 else {
            classes[nil, default: 0] += 1
            return
        }
        classes[Int(magnitude.rounded(.down)), default: 0] += 1
        let key = Int((magnitude * 10 + 0.5).rounded(.down))
        let difference = magnitude - Double(key) / 10
        var bin = bins[key] ?? Bin()
        bin.count += 1
        bin.sum += difference
        bin.squares += difference * difference
        bins[key] = bin
    }

    /// The relation of Gutenberg and Richter for these magnitudes.
    public func gutenbergRichter() throws(GutenbergRichter.Refusal) -> GutenbergRichter {
        guard let most = bins.max(by: { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }) else {
            throw .noMagnitudes
        }
        let completeness = most.key + 2
        let complete = bins.filter { $0.key >= completeness }.sorted { $0.key < $1.key }
            .map { (above: Double($0.key - completeness) / 10, bin: $0.value) }
        let total = complete.reduce(0) { $0 + $1.bin.count }
        guard total >= GutenbergRichter.leastCount else {
            throw .tooFew(total, completeness: Double(completeness) / 10)
        }
        let count = Double(total)
        let mean = complete.reduce(0) { $0 + Double($1.bin.count) * $1.above + $1.bin.sum } / count
        let squares = complete.reduce(0) { sum, part in
            let shift = part.above - mean
            return sum + part.bin.squares + 2 * shift * part.bin.sum + Double(part.bin.count) * shift * shift
        }
        // Equal magnitudes have no slope; what remains of their squares is rounding.
        guard mean + 0.05 > 0, squares > 1e-12 * count else { throw .noSpread }
        let b = log10(exp(1)) / (mean + 0.05)
        let variance = squares / (count * (count - 1))
        return GutenbergRichter(
            completeness: Double(completeness) / 10, count: total, b: b,
            standardError: log(10) * b * b * variance.squareRoot())
    }
}

/// The relation of Gutenberg and Richter: of each magnitude on there are 10^b times as many quakes as of a magnitude
/// one larger.
public struct GutenbergRichter: Hashable, Sendable {
    /// The magnitude from which on the set is taken to be complete: the bin with the most quakes, and 0.2 (maximum
    /// curvature; Wiemer and Wyss 2000, Woessner and Wiemer 2005).
    public let completeness: Double
    /// How many quakes have that magnitude or more.
    public let count: Int
    /// The slope, by maximum likelihood (Aki 1965) with half a bin of 0.1 (Utsu 1966).
    public let b: Double
    /// The standard error of ``b`` (Shi and Bolt 1982).
    public let standardError: Double

    /// The quakes that are needed.
    public static let leastCount = 50

    /// Why there is no slope.
    public enum Refusal: Error, Hashable, Sendable {
        /// No quake has a magnitude.
        case noMagnitudes
        /// Fewer than ``leastCount`` quakes are as large as the completeness.
        case tooFew(Int, completeness: Double)
        /// The magnitudes hardly differ.
        case noSpread
    }
}

extension GutenbergRichter.Refusal: LocalizedError {
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
