import Glibc

/// Quakes by magnitude, in bins of 0.1: the bin of 4.5 holds magnitudes from 4.45 up to 4.55.
public struct MagnitudeCounts: Sendable {
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
        var bin = bins[Int((magnitude * 10 + 0.5).rounded(.down))] ?? Bin()
        bin.count += 1
        bin.sum += magnitude
        bin.squares += magnitude * magnitude
        bins[Int((magnitude * 10 + 0.5).rounded(.down))] = bin
    }

    /// The relation of Gutenberg and Richter for these magnitudes.
    public func gutenbergRichter() throws(GutenbergRichter.Refusal) -> GutenbergRichter {
        guard let most = bins.max(by: { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }) else {
            throw .noMagnitudes
        }
        let completeness = most.key + 2
        var all = Bin()
        for (key, bin) in bins.sorted(by: { $0.key < $1.key }) where key >= completeness {
            all.count += bin.count
            all.sum += bin.sum
            all.squares += bin.squares
        }
        guard all.count >= GutenbergRichter.leastCount else {
            throw .tooFew(all.count, completeness: Double(completeness) / 10)
        }
        let count = Double(all.count)
        let mean = all.sum / count
        let excess = mean - (Double(completeness) / 10 - 0.05)
        guard excess > 0 else { throw .noSpread }
        let b = log10(exp(1)) / excess
        let variance = max(0, all.squares - count * mean * mean) / (count * (count - 1))
        return GutenbergRichter(
            completeness: Double(completeness) / 10, count: all.count, b: b,
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
