import QuakeMirror

extension [Claim] {
    /// The claims for people, by conditions: `M 4.5+: 1990-01-01 to 2005-03-02, 2007-01-01 on; as of 3 hours ago`.
    func words(now: Timestamp) -> [String] {
        Dictionary(grouping: self) { Group(conditions: $0.conditions, isKept: $0.source == .backfill) }.map {
            group, claims in
            let ranges = claims.withNeighborsUnited.map { $0.timeWords(among: self) }
            let times = "\(group.conditions.headline): \(ranges.joined(separator: ", "))"
            guard group.isKept else {
                return "\(times); \(claims.contains { $0.source == .query } ? "queries" : "feeds")"
            }
            let age = claims.map(\.asOf).min().map { Swift.min($0, now).age(at: now) } ?? "never"
            return "\(times); as of \(age)"
        }.sorted()
    }

    private struct Group: Hashable {
        var conditions: QuakeFilter
        var isKept: Bool
    }

    /// The claims by time. Those that follow each other are one, whenever each was asked for.
    private var withNeighborsUnited: [Claim] {
        sorted { $0.originTimes.lowerBound < $1.originTimes.lowerBound }.reduce(into: []) { united, claim in
            guard let last = united.last, last.originTimes.upperBound >= claim.originTimes.lowerBound else {
                united.append(claim)
                return
            }
            let end = Swift.max(last.originTimes.upperBound, claim.originTimes.upperBound)
            united[united.count - 1].originTimes = last.originTimes.lowerBound..<end
            united[united.count - 1].isOpenEnded = claim.isOpenEnded
            united[united.count - 1].asOf = Swift.max(last.asOf, claim.asOf)
        }
    }
}

extension Claim {
    /// What a backfill has not fetched yet: `2024-02-28 to 2025-01-01, all magnitudes`.
    var unfinishedWords: String {
        let times =
            originTimes.lowerBound <= CatalogQuery.beginning
            ? "beginning to \(originTimes.upperBound.dayWords)" : originTimes.words
        return "\(times), \(conditions == QuakeFilter() ? "all magnitudes" : conditions.headline)"
    }

    /// `1990-01-01 to 2005-03-02`; `2007-01-01 on` for a claim that updates extend, and `2007-01-01 to 2012-05-06,
    /// incomplete` while the backfill of such a claim has not come to the present.
    fileprivate func timeWords(among claims: [Claim]) -> String {
        let start = originTimes.lowerBound <= CatalogQuery.beginning ? "beginning" : originTimes.lowerBound.shortWords
        guard isOpenEnded else { return "\(start) to \(originTimes.upperBound.shortWords)" }
        let end = originTimes.upperBound
        let isFinished =
            end >= asOf - .seconds(86_400)
            || claims.contains { other in
                other.conditions != conditions && other.conditions.includes(conditions)
                    && other.originTimes.contains(end)
            }
        return isFinished ? "\(start) on" : "\(start) to \(originTimes.upperBound.shortWords), incomplete"
    }
}
