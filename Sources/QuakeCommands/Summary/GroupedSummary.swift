import QuakeFormats
import QuakeStore

/// A table of quakes by group: the number of events, the number of earthquakes, and the largest magnitude.
struct GroupedSummary {
    struct Row {
        private(set) var quakes = 0
        private(set) var earthquakes = 0
        /// Whether the requested times and the coverage include the whole span. Not set for other groups.
        fileprivate(set) var isComplete = false
        private(set) var largest: Double?
        /// The type of the largest event; if several are equally large, the first type in alphabetical order. Nil if
        /// unknown.
        private(set) var typeOfLargest: String?

        fileprivate mutating func add(_ type: String?, _ magnitude: Double?) {
            quakes += 1
            if type == "earthquake" { earthquakes += 1 }
            guard let magnitude,
                magnitude > largest ?? -.infinity || magnitude == largest && type ?? "" < typeOfLargest ?? ""
            else { return }
            largest = magnitude
            typeOfLargest = type
        }

        /// ` (quarry blast)` if the largest event is not an earthquake.
        fileprivate var kindWords: String {
            typeOfLargest == "earthquake" ? "" : typeOfLargest.map { " (\($0))" } ?? ""
        }
    }

    let group: Group
    private let display: DisplayStyle
    /// Whether the coverage is known, which it is only for the present state.
    private let hasCoverage: Bool
    private let rows: [(key: Key, row: Row)]
    let count: Int

    /// - Parameters:
    ///   - display: The zone of local times and, for text, the unit of depths.
    ///   - now: The time up to which quakes can be known.
    init(
        by group: Group, _ filter: QuakeFilter, in context: QuakeContext, _ display: DisplayStyle, now: Timestamp
    ) throws {
        self.group = group
        self.display = display
        hasCoverage = !context.isPast
        let depthBin = Self.depthBin * display.unit.kilometersPerUnit
        var found: [Key: Row] = [:]
        var count = 0
        var latest: Timestamp?
        let descriptor = QuakeDescriptor(filter: filter)
        try context.forEachRow(descriptor, fields: [.time, .mag, .type, .place, .net, .lon, .depth]) { row in
            let time = Timestamp(milliseconds: Int64(row.field(at: 0).number ?? 0))
            let magnitude = row.field(at: 1).number
            let type = row.field(at: 2).text
            let keys: [Key] =
                switch group {
                case .hour, .day, .week, .month:
                    [group.unit.map { .span($0.start(of: display.timeZone.shifted(time))) } ?? .unknown]
                case .mag: [Key(magnitude, binWidth: Self.magnitudeBin)]
                case .depth: [Key(row.field(at: 6).number, binWidth: depthBin)]
                case .region:
                    Region.names(ofPlace: row.field(at: 3).text ?? "", longitude: row.field(at: 5).number ?? 0)
                        .map(Key.name)
                case .type: [Key(type)]
                case .network: [Key(row.field(at: 4).text)]
                }
            for key in keys.isEmpty ? [.unknown] : keys { found[key, default: Row()].add(type, magnitude) }
            latest = max(latest ?? time, time)
            count += 1
        }
        if let unit = group.unit, let period = try context.countedPeriod(of: filter, latest: latest, now: now) {
            for (start, isComplete) in try context.spans(by: unit, of: filter, in: period, display.timeZone) {
                found[.span(start), default: Row()].isComplete = isComplete
            }
        }
        Self.addEmptyBins(to: &found)
        let isByCount = [.region, .type, .network].contains(group)
        rows = found.map { (key: $0, row: $1) }.sorted { one, other in
            isByCount && one.row.quakes != other.row.quakes
                ? one.row.quakes > other.row.quakes : one.key < other.key
        }
        self.count = count
    }

    /// Adds empty bins between the first and the last bin, so that a histogram has no holes.
    private static func addEmptyBins(to rows: inout [Key: Row]) {
        let bins = rows.keys.compactMap(\.bin)
        guard let first = bins.min(), let last = bins.max() else { return }
        for bin in first...last where rows[.bin(bin)] == nil { rows[.bin(bin)] = Row() }
    }

    func write(_ format: TableOptions.Format, _ writer: ByteWriter, _ style: OutputStyle) throws {
        let columns = record(.unknown, Row()).members.map(\.0)
        switch format {
        case .text: TextTable.write(rows, in: textColumns, writer, style)
        case .csv: DelimitedRows(writer, columns: columns, style).append(rows.map { record($0.key, $0.row) })
        case .json: try JSONWriter().line(rows.map { record($0.key, $0.row) }, to: writer)
        }
    }

    private func record(_ key: Key, _ row: Row) -> Record {
        [
            group.rawValue: value(of: key), "quakes": row.quakes, "earthquakes": row.earthquakes,
            "largest": row.largest, "largest_type": row.typeOfLargest,
        ] + (group.unit == nil ? [:] : ["complete": hasCoverage ? row.isComplete : nil])
    }

    /// Returns the value of a group in records: its name or, for a bin, the number at which it begins.
    private func value(of key: Key) -> (any RecordValue)? {
        switch key {
        case .span(let start): return group.unit?.label(of: start)
        case .bin(let number): return Double(number) * binWidth
        case .name(let name): return name
        case .unknown: return nil
        }
    }

    private var binWidth: Double { group == .mag ? Self.magnitudeBin : Self.depthBin }

    private func words(for key: Key) -> String {
        switch key {
        case .span(let start): return group.unit?.label(of: start) ?? ""
        case .bin(let number):
            let bounds = [number, number + 1].map { Double($0) * binWidth }
                .map { group == .mag ? Quake.titleMagnitude($0) : PlainNumber.text($0) }
            return bounds.joined(separator: " to <")
        case .name(let name): return name
        case .unknown: return "none"
        }
    }

    private var title: String {
        let name = group.rawValue.uppercased()
        if group == .depth { return "\(name) (\(display.unit.rawValue.uppercased()))" }
        return name + (group.unit == nil ? "" : " (\(display.timeZone.title))")
    }

    private var textColumns: [TextColumn<(key: Key, row: Row)>] {
        [
            TextColumn(title, minimumWidth: 12) { key, row in
                words(for: key) + (group.unit == nil || row.isComplete || !hasCoverage ? "" : " (incomplete)")
            },
            TextColumn("EVENTS", isNumber: true) { $0.row.quakes.grouped },
            TextColumn("EARTHQUAKES", isNumber: true) { $0.row.earthquakes.grouped },
            TextColumn("LARGEST", isNumber: true) { _, row in
                // With one decimal, 4.46 would be 4.5 and seem to belong to the next bin.
                row.largest.map { magnitude in
                    let words = group == .mag ? PlainNumber.hundredths(magnitude) : Quake.titleMagnitude(magnitude)
                    return "M \(words)\(row.kindWords)"
                } ?? "-"
            },
        ]
    }
}
