import QuakeFeed
import QuakeModel
import QuakeOutput

extension [CataloguePart] {
    /// The parts for people, those with the same conditions together: `M 4.5+: 1990-01-01 to 2005-03-02, 2007-01-01 on;
    /// as of 3 hours ago`.
    func words(now: Timestamp) -> [String] {
        Dictionary(grouping: self, by: \.filter).map { filter, parts in
            let ranges = parts.withNeighboursUnited.map { $0.timeWords(among: self) }
            let age = parts.map(\.asOf).min().map { now > $0 ? "\((now - $0).words) ago" : "now" } ?? "never"
            return "\(filter.headline): \(ranges.joined(separator: ", ")); as of \(age)"
        }.sorted()
    }

    /// The parts by time. Those that follow each other are one, whenever each was asked for.
    private var withNeighboursUnited: [CataloguePart] {
        sorted { $0.originTimes.lowerBound < $1.originTimes.lowerBound }.reduce(into: []) { united, part in
            guard let last = united.last, last.originTimes.upperBound == part.originTimes.lowerBound else {
                united.append(part)
                return
            }
            united[united.count - 1].originTimes = last.originTimes.lowerBound..<part.originTimes.upperBound
            united[united.count - 1].isOpenEnded = part.isOpenEnded
            united[united.count - 1].asOf = Swift.max(last.asOf, part.asOf)
        }
    }
}

extension CataloguePart {
    /// `1990-01-01 to 2005-03-02`; `2007-01-01 on` for a part that updates extend, and `2007-01-01 to 2012-05-06, not
    /// finished` while the backfill of such a part has not come to the present.
    fileprivate func timeWords(among parts: [CataloguePart]) -> String {
        let start = originTimes.lowerBound <= CatalogueQuery.beginning ? "beginning" : originTimes.lowerBound.dayWords
        guard isOpenEnded else { return "\(start) to \(originTimes.upperBound.dayWords)" }
        let end = originTimes.upperBound
        let isFinished =
            end >= asOf - .seconds(86_400)
            || parts.contains { $0.filter != filter && $0.filter.includes(filter) && $0.originTimes.contains(end) }
        return isFinished ? "\(start) on" : "\(start) to \(originTimes.upperBound.dayWords), not finished"
    }
}
