import ArgumentParser
import QuakeStore

/// A table of quakes by group: the number of events, the number of earthquakes, and the largest magnitude.
struct GroupedSummary {
    enum Group: String, CaseIterable, ExpressibleByArgument, Sendable {
        /// A span of local time.
        case hour, day, week, month
        /// The state, country or sea. A quake on a border counts on both sides.
        case region
        case type, network

        fileprivate var unit: OriginTimeCounts.Unit? { OriginTimeCounts.Unit(rawValue: rawValue) }
    }

    struct Row {
        var quakes = 0
        var earthquakes = 0
        /// Whether the requested period and the coverage of the cache include the whole span.
        var isComplete = false
        var largest: Double?
        /// The type of the largest event; if several are equally large, the first type in alphabetical order.
        var typeOfLargest: String?

        /// ` (quarry blast)` if the largest event is not an earthquake.
        fileprivate var kindWords: String {
            typeOfLargest == "earthquake" ? "" : typeOfLargest.map { " (\($0))" } ?? ""
        }
    }

    let group: Group
    private let zone: LocalTime
    /// Whether the coverage at the time of the state is known, as it is only for the present.
    private let hasCoverage: Bool
    private(set) var rows: [(name: String?, row: Row)] = []

    var count: Int { rows.reduce(0) { $0 + $1.row.quakes } }

    init(
        by group: Group, _ filter: QuakeFilter, in context: QuakeContext, zone: LocalTime, now: Timestamp
    ) throws {
        self.group = group
        self.zone = zone
        hasCoverage = !context.isPast
        var found: [String?: Row] = [:]
        let descriptor = QuakeDescriptor(filter: filter)
        try context.forEachRow(descriptor, fields: [.time, .mag, .type, .place, .net, .lon]) { row in
            let time = Timestamp(milliseconds: Int64(row.field(at: 0).number ?? 0))
            let type = row.field(at: 2).text
            let place = row.field(at: 3).text
            let names: [String?] =
                switch group {
                case .hour, .day, .week, .month: [group.unit?.name(of: zone.shifted(time))]
                case .region: Region.names(ofPlace: place ?? "", longitude: row.field(at: 5).number ?? 0)
                case .type: [type]
                case .network: [row.field(at: 4).text]
                }
            let magnitude = row.field(at: 1).number
            for name in names.isEmpty ? [nil] : names {
                found[name, default: Row()].quakes += 1
                if type == "earthquake" { found[name, default: Row()].earthquakes += 1 }
                if let magnitude, let known = found[name],
                    magnitude > known.largest ?? -.infinity
                        || magnitude == known.largest && type ?? "" < known.typeOfLargest ?? ""
                {
                    found[name]?.largest = magnitude
                    found[name]?.typeOfLargest = type
                }
            }
        }
        if let unit = group.unit {
            for (name, isComplete) in try context.covered(by: unit, filter, zone, now: now) {
                found[name, default: Row()].isComplete = isComplete
            }
        }
        rows = found.map { (name: $0, row: $1) }.sorted { one, other in
            let first = one.name ?? ""
            let second = other.name ?? ""
            return group.unit != nil || one.row.quakes == other.row.quakes
                ? first < second : one.row.quakes > other.row.quakes
        }
    }

    func write(_ format: TableOptions.Format, _ writer: ByteWriter, _ style: OutputStyle) throws {
        let columns = record(nil, Row()).members.map(\.0)
        switch format {
        case .text: TextTable.write(rows, in: textColumns, writer, style)
        case .csv:
            DelimitedRows(writer, columns: columns, style).append(rows.map { record($0.name, $0.row) })
        case .json: try JSONWriter().line(rows.map { record($0.name, $0.row) }, to: writer)
        }
    }

    private func record(_ name: String?, _ row: Row) -> Record {
        [
            group.rawValue: name, "quakes": row.quakes, "earthquakes": row.earthquakes, "largest": row.largest,
            "largest_type": row.typeOfLargest,
        ] + (group.unit == nil ? [:] : ["complete": hasCoverage ? row.isComplete : nil])
    }

    private var textColumns: [TextColumn<(name: String?, row: Row)>] {
        [
            TextColumn(group.rawValue.uppercased() + (group.unit == nil ? "" : " (\(zone.title))"), least: 12) {
                name, row in
                (name ?? "none") + (group.unit == nil || row.isComplete || !hasCoverage ? "" : " (partial)")
            },
            TextColumn("EVENTS", isNumber: true) { $0.row.quakes.grouped },
            TextColumn("EARTHQUAKES", isNumber: true) { $0.row.earthquakes.grouped },
            TextColumn("LARGEST", isNumber: true) { _, row in
                row.largest.map { "M \(Quake.titleMagnitude($0))" + row.kindWords } ?? "-"
            },
        ]
    }
}
