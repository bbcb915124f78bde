import QuakeMirror

extension [CoveredRange] {
    /// Describes the covered ranges: `M 4.5+: 1990-01-01 to 2005-03-02, from a backfill, last updated 3 hours ago`, or
    /// `uncertainties from a backfill`. Adjacent ranges are combined into one with the age of the oldest.
    func words(now: Timestamp) -> [String] {
        func place(_ range: CoveredRange) -> (String, String, Timestamp) {
            (range.conditions.headline, range.source.rawValue, range.originTimes.lowerBound)
        }
        return sorted { place($0) < place($1) }.reduce(into: [CoveredRange]()) { united, range in
            guard let last = united.last, last.conditions == range.conditions, last.source == range.source,
                last.originTimes.upperBound >= range.originTimes.lowerBound
            else { return united.append(range) }
            var whole = range
            whole.originTimes =
                last.originTimes.lowerBound..<Swift.max(last.originTimes.upperBound, range.originTimes.upperBound)
            whole.asOf = Swift.min(last.asOf, range.asOf)
            united[united.count - 1] = whole
        }.map { "\($0.words), \($0.source.words), last updated \($0.asOf.age(at: now))" }
    }
}

extension CoveredRange.Source {
    fileprivate var words: String {
        switch self {
        case .feed: "from a feed"
        case .query: "from a query"
        case .backfill: "from a backfill"
        case .uncertainties: "uncertainties from a backfill"
        }
    }
}

extension CoveredRange {
    /// The conditions and times: `M 4.5+: 1990-01-01 to 2005-03-02`, or `M 4.5+: 2007-01-01 on` if updates extend them.
    var words: String {
        let isWhole = originTimes.lowerBound <= CatalogQuery.beginning
        let start = isWhole ? "the beginning" : originTimes.lowerBound.shortWords
        let isExtended = isOpenEnded && originTimes.upperBound >= asOf - .seconds(86_400)
        let times = isExtended ? "since \(start)" : "\(start) to \(originTimes.upperBound.shortWords)"
        return "\(conditions.headline): \(times)"
    }

    var record: Record {
        let conditions = conditions.coverageMembers.map { name, condition -> (String, (any RecordValue)?) in
            switch condition {
            case .number(let number): (name, number)
            case .numbers(let numbers): (name, numbers)
            case .words(let words): (name, words)
            }
        }
        return [
            "source": source.rawValue, "since": originTimes.lowerBound, "until": originTimes.upperBound,
            "as_of": asOf, "open_ended": isOpenEnded, "conditions": Record(conditions),
        ]
    }
}
