import QuakeMirror

extension [Claim] {
    /// Describes the covered ranges: `M 4.5+: 1990-01-01 to 2005-03-02, from a backfill, last updated 3 hours ago`.
    /// Adjacent claims are combined into one claim with the age of the oldest.
    func words(now: Timestamp) -> [String] {
        func place(_ claim: Claim) -> (String, String, Timestamp) {
            (claim.conditions.headline, claim.source.rawValue, claim.originTimes.lowerBound)
        }
        return sorted { place($0) < place($1) }.reduce(into: [Claim]()) { united, claim in
            guard let last = united.last, last.conditions == claim.conditions, last.source == claim.source,
                last.originTimes.upperBound >= claim.originTimes.lowerBound
            else { return united.append(claim) }
            var whole = claim
            whole.originTimes =
                last.originTimes.lowerBound..<Swift.max(last.originTimes.upperBound, claim.originTimes.upperBound)
            whole.asOf = Swift.min(last.asOf, claim.asOf)
            united[united.count - 1] = whole
        }.map { "\($0.words), from a \($0.source.rawValue), last updated \($0.asOf.age(at: now))" }
    }
}

extension Claim {
    /// The conditions and times: `M 4.5+: 1990-01-01 to 2005-03-02`, or `M 4.5+: 2007-01-01 on` if updates extend them.
    var words: String {
        let isWhole = originTimes.lowerBound <= CatalogQuery.beginning
        let start = isWhole ? "the beginning" : originTimes.lowerBound.shortWords
        let isExtended = isOpenEnded && originTimes.upperBound >= asOf - .seconds(86_400)
        let times = isExtended ? "since \(start)" : "\(start) to \(originTimes.upperBound.shortWords)"
        return "\(conditions.headline): \(times)"
    }

    var record: Record {
        let conditions = conditions.claimMembers.map { name, condition -> (String, (any RecordValue)?) in
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
