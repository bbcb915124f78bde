import QuakeFeed
import QuakeModel

extension [CataloguePart] {
    /// The parts for people, those with the same conditions together: `M 4.5+: 1990-01-01 to 2005-03-02, 2007-01-01 on;
    /// as of 3 hours ago`.
    func words(now: Timestamp) -> [String] {
        Dictionary(grouping: self, by: \.filter).map { filter, parts in
            let ranges = parts.sorted { $0.originTimes.lowerBound < $1.originTimes.lowerBound }.map(\.timeWords)
            let age = parts.map(\.asOf).min().map { now > $0 ? "\((now - $0).words) ago" : "now" } ?? "never"
            return "\(filter.headline): \(ranges.joined(separator: ", ")); as of \(age)"
        }.sorted()
    }
}

extension CataloguePart {
    /// `1990-01-01 to 2005-03-02`, or `2007-01-01 on` for a part that updates extend.
    fileprivate var timeWords: String {
        let isUpToDate = isOpenEnded && originTimes.upperBound >= asOf - .seconds(86_400)
        let end = isUpToDate ? "on" : "to \(originTimes.upperBound.dayWords)"
        let start = originTimes.lowerBound <= CatalogueQuery.beginning ? "beginning" : originTimes.lowerBound.dayWords
        return "\(start) \(end)"
    }
}
