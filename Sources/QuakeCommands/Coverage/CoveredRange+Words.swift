import QuakeMirror

extension [CoveredRange] {
    /// Describes the covered ranges: `M 4.5+: 1990-01-01 to 2005-03-02, from a backfill, last checked
    /// 2026-11-22 10:00 UTC or later`, because parts of a range may have been checked later. Coverage of uncertainties
    /// alone is described as `uncertainties from a backfill`.
    var words: [String] {
        combined.map { "\($0.words), \($0.source.words), last checked \($0.asOf.minuteWords) UTC or later" }
    }

    /// Describes the covered ranges as parts of a sentence: `M 4.5+, 1990-01-01 to 2005-03-02, from a backfill`.
    var namesInSentence: [String] {
        combined.map { range in
            let conditions = range.conditions.headlines
            let subject = conditions.isEmpty ? "all quakes" : conditions.joined(separator: " · ")
            return "\(subject), \(range.timeWords), \(range.source.words)"
        }
    }

    /// The ranges, with adjacent ranges of the same conditions and source combined. A combined range has the earliest
    /// `asOf`.
    private var combined: [CoveredRange] {
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
        }
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
    /// The conditions and times: `M 4.5+: 1990-01-01 to 2005-03-02`, or `M 4.5+: since 2007-01-01` for a range that is
    /// extended by updates.
    var words: String { "\(conditions.headline): \(timeWords)" }

    fileprivate var timeWords: String {
        let isWhole = originTimes.lowerBound <= CatalogQuery.beginning
        let start = isWhole ? "the beginning" : originTimes.lowerBound.shortWords
        let isExtended = isOpenEnded && originTimes.upperBound >= asOf - .seconds(86_400)
        guard !isExtended else { return "since \(start)" }
        let end = originTimes.upperBound
        return start == end.shortWords
            ? "\(originTimes.lowerBound.momentWords) to \(end.momentWords)" : "\(start) to \(end.shortWords)"
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
