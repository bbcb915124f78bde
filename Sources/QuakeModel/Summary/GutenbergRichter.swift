import FoundationEssentials

/// The Gutenberg-Richter relation: with each unit of magnitude, the number of quakes that large or larger falls by a
/// factor of 10^b.
public struct GutenbergRichter: Hashable, Sendable {
    /// The magnitude of completeness by maximum curvature: the magnitude of the bin with the most quakes (of several,
    /// the largest) plus 0.2 (Wiemer and Wyss 2000, Woessner and Wiemer 2005); or the requested minimum, rounded up to
    /// a tenth, if that is greater.
    public let completeness: Double
    /// The number of quakes in the bin of ``completeness``, which begins 0.05 below it, and in all higher bins.
    public let count: Int
    /// The b-value by maximum likelihood (Aki 1965), corrected for the bin width of 0.1 (Utsu 1966).
    public let b: Double
    /// The standard error of ``b`` (Shi and Bolt 1982).
    public let standardError: Double
    /// The goodness of fit in percent (Wiemer and Wyss 2000). Below 90, the relation does not describe the quakes.
    public let fit: Double

    /// The minimum ``fit`` in percent for a meaningful b-value.
    package static let minimumFit = 90.0
    /// The minimum number of quakes for a b-value.
    package static let minimumCount = 50

    /// The words for all magnitudes in the bin with the center `magnitude` and in higher bins.
    package static func words(from magnitude: Double) -> String {
        "at or above Mc \(PlainNumber.text(magnitude, decimals: 2)) (magnitudes rounded to 0.1)"
    }

    /// The reason that no b-value could be estimated.
    package enum Failure: Error, Hashable, Sendable {
        /// No quake has a magnitude.
        case noMagnitudes
        /// Fewer than ``minimumCount`` quakes reach the magnitude of completeness.
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
            (count == 0 ? "no quakes" : "only \(count.counted("quake"))")
                + " \(GutenbergRichter.words(from: completeness)); at least \(GutenbergRichter.minimumCount) are needed"
        case .noSpread: "the magnitudes are nearly all the same"
        }
    }
}
