import QuakeMirror

/// The period of a summary or map: the requested times, as far as the cache covers them. Without requested times, the
/// time from the first quake to the last.
struct SummaryPeriod {
    private let zone: DisplayTimeZone
    private let first: Timestamp
    private let end: Timestamp
    /// Whether to show times of day, because the requested period begins or ends at a time other than midnight.
    private let hasTimes: Bool

    /// - Parameter known: The time up to which quakes can be known.
    init(
        _ filter: QuakeFilter, _ missing: MissingData, until known: Timestamp, _ zone: DisplayTimeZone,
        _ earliest: Timestamp, _ latest: Timestamp
    ) {
        self.zone = zone
        var first = filter.since ?? earliest
        // Start after a gap in the coverage: quakes in it are not counted.
        if let since = filter.since, let gap = missing.gaps.first,
            gap.lowerBound <= max(since, CatalogQuery.beginning)
        {
            first = max(since, min(gap.upperBound, earliest))
        }
        let afterLatest = latest + .milliseconds(1)
        let end =
            filter.until == nil && filter.since == nil
            ? afterLatest : max(afterLatest, min(filter.until ?? known, known))
        self.first = first
        self.end = end
        hasTimes =
            (filter.since == first && !zone.isMidnight(first) || filter.until == end && !zone.isMidnight(end))
            && zone.minuteWords(first) != zone.minuteWords(end)
    }

    private var days: (first: CalendarDay, last: CalendarDay) {
        (CalendarDay(first, zone), CalendarDay(hasTimes ? end : end - .milliseconds(1), zone))
    }

    var isOneDay: Bool { days.first == days.last }

    /// The period without times of day: `July 15–22, 2021`. Names the zone unless it is UTC.
    var dates: String {
        let days = CalendarDay(first, zone).words(to: CalendarDay(end - .milliseconds(1), zone))
        return zone.nameInWords == "UTC" ? days : "\(days) (\(zone.nameInWords))"
    }

    /// The period as the end of a sentence: `, July 15–22, 2021 (UTC)`, ` on July 22, 2021 (UTC)`, or ` between 19:37
    /// and 20:37 on July 22, 2021 (UTC)`.
    var words: String {
        let days = days
        let name = " (\(zone.nameInWords))"
        guard hasTimes else {
            return isOneDay ? " on \(days.last.words)\(name)" : ", \(days.first.words(to: days.last))\(name)"
        }
        let times = [first, end].map { zone.minuteWords($0).suffix(5) }
        let from = isOneDay ? "" : " on \(days.first.words(before: days.last))"
        return " between \(times[0])\(from) and \(times[1]) on \(days.last.words)\(name)"
    }
}

extension DisplayTimeZone {
    /// Whether a day begins at `moment` in this zone: at midnight or, if clocks skip midnight, later.
    fileprivate func isMidnight(_ moment: Timestamp) -> Bool {
        self.moment(showing: shifted(moment).startOfDay) == moment
    }
}
