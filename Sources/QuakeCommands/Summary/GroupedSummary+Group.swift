import ArgumentParser
import QuakeModel

extension GroupedSummary {
    enum Group: String, WordArgument, Sendable {
        /// A span of local time.
        case hour, day, week, month
        /// A bin of magnitudes or depths.
        case mag, depth
        /// The state, country or sea. A quake on a border counts in both regions.
        case region
        case type, network

        static let synonyms = ["magnitude": Group.mag]

        var unit: OriginTimeCounts.Unit? { OriginTimeCounts.Unit(rawValue: rawValue) }
    }

    /// What the quakes of a row have in common. Bins and spans are in ascending order. Quakes without a value come
    /// last.
    enum Key: Hashable, Comparable {
        /// The span of local time that begins at this time, which is stored as if it were in UTC.
        case span(Timestamp)
        /// The bin that begins at this number times the width of a bin.
        case bin(Int)
        case name(String)
        case unknown

        init(_ name: String?) { self = name.map(Key.name) ?? .unknown }

        /// Creates the key of the bin of `value`. An implausible value, which no feed contains, counts as missing.
        init(_ value: Double?, binWidth: Double) {
            guard let value, abs(value) < 10_000 else {
                self = .unknown
                return
            }
            self = .bin(Int((value / binWidth).rounded(.down)))
        }

        var bin: Int? { if case .bin(let number) = self { number } else { nil } }
    }

    /// The width of a magnitude bin.
    static let magnitudeBin = 0.5
    /// The width of a depth bin: ten kilometers, or ten miles in text with `--units mi`.
    static let depthBin = 10.0
}
