import QuakeModel

/// The number of quakes in each of a series of equal time spans.
struct QuakeRate {
    let start: Timestamp
    /// The length of a span in hours.
    let hours: Int
    let counts: [Int]

    /// The possible lengths of a span in hours: parts of a day, days, weeks, years.
    private static let spanLengthsInHours = [1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 720, 2160, 8766, 87660]
    private static let hour: Int64 = 3_600_000

    /// Counts quakes in at most `limit` spans, preferably days. Nil if there are no quakes.
    init?(of quakes: [Quake], limit: Int) {
        guard let first = quakes.lazy.map(\.originTime).min(), let last = quakes.lazy.map(\.originTime).max(), limit > 0
        else { return nil }
        let elapsed = Int((last.milliseconds - first.milliseconds) / QuakeRate.hour)
        // Use days, unless there are too many of them or too few to be useful.
        let least = elapsed < 72 ? 1 : elapsed < 336 ? 6 : 24
        let hours =
            QuakeRate.spanLengthsInHours.first { $0 >= least && elapsed / $0 + 2 <= limit } ?? elapsed / limit + 1
        let length = Int64(hours) * QuakeRate.hour
        let start = first.milliseconds - (first.milliseconds % length + length) % length
        var counts = Array(repeating: 0, count: Int((last.milliseconds - start) / length) + 1)
        for quake in quakes { counts[Int((quake.originTime.milliseconds - start) / length)] += 1 }
        self.start = Timestamp(milliseconds: start)
        self.hours = hours
        self.counts = counts
    }

    /// The name of a span: `6 h`, `day`, `week`, `30 days`.
    var unit: String {
        switch hours {
        case 24: "day"
        case 168: "week"
        case 8766: "year"
        case 1: "hour"
        case ..<24: "\(hours) h"
        case let hours where hours % 8766 == 0: "\(hours / 8766) years"
        default: "\(hours / 24) days"
        }
    }

    /// Returns the date of a moment; if the spans are shorter than a day, its date and hour without the year; if they
    /// are years, its year. A span of years begins within days of January 1, because its years are 365.25 days long.
    func label(of moment: Timestamp) -> String {
        if hours < 24 { return String(moment.minuteWords.dropFirst("2026-".count)) }
        guard hours % 8766 == 0 else { return moment.dayWords }
        let day = moment == start ? moment + .seconds(15 * 86_400) : moment
        return String(day.dayWords.dropLast("-01-01".count))
    }

    /// Returns the counts as a row of bars. Only a span without quakes is shown as a space.
    func bars(unicode: Bool) -> String {
        let steps: [Character] = unicode ? Array("▁▂▃▄▅▆▇█") : Array(".:-=+*#@")
        let highest = max(counts.max() ?? 1, 1)
        return String(
            counts.map { count in count == 0 ? " " : steps[min((count * steps.count - 1) / highest, steps.count - 1)] })
    }
}
