package import QuakeModel

/// Writes events as lines for people, under a heading for each day: time, what happened, magnitude, place, the most
/// telling differences, id.
///
/// On a terminal a line takes the width of the window; the place shrinks first. Elsewhere nothing is cut.
final class ChangesTableRenderer: ChangesRenderer {
    /// The narrowest terminal with a column for the distance. On a narrower one it would push out the place.
    private static let leastWithDistance = 60

    private let writer: ByteWriter
    private let style: OutputStyle
    private let layout: ChangeLayout
    private let lines: WrappedLines
    private var hasHeader = false
    private var isResync = false
    private var day = ""

    init(writer: ByteWriter, style: OutputStyle) {
        (self.writer, self.style) = (writer, style)
        lines = WrappedLines(writer, columns: style.terminalColumns)
        layout = ChangeLayout(
            timeWidth: style.usesEpochTime ? 13 : 5, placeWidth: 38, terminalColumns: style.terminalColumns,
            showsDistance: style.display.reference != nil && style.terminalColumns ?? .max >= Self.leastWithDistance)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        switch event {
        case .dropEverything(let fault):
            isResync = true
            lines.append("The starting point cannot be used: \(fault.words). All quakes in the cache follow.")
        case .resync(let resynced):
            writeHeader()
            let quake = resynced.stored.quake
            let words = ChangeWords(present: quake, now: style.now, zone: style.display.time)
            append(words, of: quake, before: nil, time: "")
        case .change(let relevant):
            writeHeader()
            append(relevant)
        case .end(let end):
            // The record that drops everything is no line.
            let counted = isResync ? (end.count - 1).counted("quake") : end.count.counted("change")
            let parts: [String?] = [
                "\(counted), up to transaction \(end.token.number)", end.skippedWords,
                end.hasMore ? "more follow" : nil, hasHeader ? layout.omitted.omissionWords : nil,
                style.tokenAside != nil ? "token \(end.token)" : nil,
            ]
            lines.append(parts.compactMap(\.self).joined(separator: "; "))
        }
        try writer.flushIfFull()
    }

    func finish() throws(OutputError) { try writer.flush() }

    private func append(_ relevant: RelevantChange) {
        let change = relevant.change
        let words = ChangeWords(
            change, crossing: relevant.crossing, now: style.now, survivor: style.survivor(of: change),
            unit: style.display.unit, zone: style.display.time)
        append(
            words, of: change.after, before: relevant.crossing == .enter ? nil : change.before,
            time: time(of: relevant.transaction))
        if style.listsEverything { layout.appendValues(of: change, to: writer, usesEpochTime: style.usesEpochTime) }
    }

    private func append(_ words: ChangeWords, of quake: Quake?, before: Quake?, time: String) {
        let reference = style.display.reference
        var words = words
        if let reference { words.tellShaking(of: quake, before: before, at: reference.point) }
        let distance = (quake ?? before).flatMap { reference?.distance(to: $0.epicenter) }
            .map(style.display.unit.distance)
        layout.append(words, time: time, distance: distance ?? "", to: writer, usesColor: style.usesColor)
    }

    /// The time of day, after a heading if the day is another; with `--epoch` the milliseconds.
    private func time(of transaction: HistoryTransaction) -> String {
        if style.usesEpochTime { return "\(transaction.time.milliseconds)" }
        let zone = style.display.time
        let parts = zone.minuteWords(transaction.time).split(separator: " ")
        if day != parts[0] {
            day = String(parts[0])
            writer.append(in: style.usesColor ? TableColor.header : nil) {
                writer.append(zone.isUTC ? day : "\(day) \(zone.name)")
            }
            writer.append("\n")
        }
        return String(parts[1])
    }

    private func writeHeader() {
        guard !hasHeader else { return }
        hasHeader = true
        writer.append(in: style.usesColor ? TableColor.header : nil) {
            writer.append(layout.header(time: style.usesEpochTime || !style.display.time.isUTC ? "TIME" : "UTC"))
        }
        writer.append("\n")
    }
}

/// The columns of a line that tells a change.
package struct ChangeLayout {
    package let timeWidth: Int
    /// The width of the place; 0 for lines about one quake.
    package let placeWidth: Int
    /// The width of the terminal; nil if nothing is cut.
    package let terminalColumns: Int?
    private let showsDistance: Bool

    package init(timeWidth: Int, placeWidth: Int, terminalColumns: Int?, showsDistance: Bool = false) {
        (self.timeWidth, self.placeWidth) = (timeWidth, placeWidth)
        (self.terminalColumns, self.showsDistance) = (terminalColumns, showsDistance)
    }

    private static let wordWidth = 8
    private static let magnitudeWidth = 11
    private static let distanceWidth = 8
    private static let detailsWidth = 28
    private static let idWidth = 13
    private static let widestPlace = 46
    /// The least that place and differences need to say something.
    private static let leastWidth = 22

    private var leftWidth: Int {
        timeWidth + Self.wordWidth + Self.magnitudeWidth + 6 + (showsDistance ? Self.distanceWidth + 2 : 0)
    }

    /// The widths of place, differences and id; 0 for a column that is left out. Nil for a column whose texts are not
    /// cut. In every line the columns start at the same place.
    private var widths: (place: Int, details: Int?, id: Int) {
        guard let terminalColumns else { return (placeWidth, nil, placeWidth > 0 ? Self.idWidth : 0) }
        let room = max(0, terminalColumns - leftWidth)
        guard placeWidth > 0 else { return (0, room < Self.leastWidth / 2 ? 0 : room, 0) }
        let id = room >= 2 * Self.leastWidth + Self.idWidth + 4 ? Self.idWidth : 0
        let left = room - (id > 0 ? id + 2 : 0)
        guard left >= Self.leastWidth + 2 else { return (room, 0, 0) }
        // The place is what people read: in a narrow window the differences shrink first, in a wide one it grows.
        let place = max(
            min(placeWidth, max(left - 20, (left - 2) / 2)), min(Self.widestPlace, left - 2 - Self.detailsWidth))
        return (place, left - 2 - place, id)
    }

    package func header(time: String) -> String {
        let left =
            time.padding(to: timeWidth + 2) + "WHAT".padding(to: Self.wordWidth + 2)
            + "MAGNITUDE".padding(to: Self.magnitudeWidth + 2) + (showsDistance ? "DISTANCE  " : "")
        return (left + joined(place: "PLACE", details: { _ in "DIFFERENCES" }, id: "ID")).withoutSpacesAtEnd
    }

    /// Appends one line. Color tells how much it matters.
    package func append(
        _ words: ChangeWords, time: String, distance: String = "", to writer: ByteWriter, usesColor: Bool
    ) {
        let rest = joined(
            place: TerminalText.sanitized(words.place), details: { TerminalText.sanitized(words.details(columns: $0)) },
            id: TerminalText.sanitized(words.id))
        writer.append(in: usesColor && words.isMinor ? "2" : nil) {
            writer.append(time.padding(to: timeWidth + 2))
            writer.append(in: usesColor ? Self.color(of: words.word) : nil) { writer.append(words.word) }
            writer.append(byte: UInt8(ascii: " "), count: max(1, Self.wordWidth + 2 - words.word.utf8.count))
            let magnitude = words.magnitudeValue.map(QuakeValue.real) ?? .null
            writer.append(in: usesColor && !words.isMinor ? magnitude.withField { TableColor.of(.mag, $0) } : nil) {
                writer.append(words.magnitude)
            }
            guard !rest.isEmpty || showsDistance else { return }
            writer.append(byte: UInt8(ascii: " "), count: max(1, Self.magnitudeWidth + 2 - words.magnitude.count))
            if showsDistance {
                writer.append(byte: UInt8(ascii: " "), count: Self.distanceWidth - distance.utf8.count)
                writer.append(distance)
                if !rest.isEmpty { writer.append("  ") }
            }
            writer.append(rest)
        }
        writer.append("\n")
    }

    /// Appends every value that an update changed, each on a line.
    package func appendValues(of change: HistoryChange, to writer: ByteWriter, usesEpochTime: Bool = false) {
        guard case .update(let before, let after, let changed) = change.effect else { return }
        for property in changed {
            let sides = [before, after].map { $0[property].words(of: property, usesEpochTime: usesEpochTime) }
            WrappedLines(writer, columns: terminalColumns).append(
                label: String(repeating: " ", count: timeWidth + 2) + property.rawValue.padding(to: 10),
                sides.joined(separator: " → "))
        }
    }

    /// The columns for which the window is too narrow.
    package var omitted: [String] {
        let widths = widths
        return (widths.details == 0 ? ["differences"] : []) + (placeWidth > 0 && widths.id == 0 ? ["id"] : [])
    }

    /// Place, differences and id, each in its column. On a terminal they are cut where they do not fit.
    private func joined(place: String, details: (Int?) -> String, id: String) -> String {
        let widths = widths
        let isCut = terminalColumns != nil
        func cell(_ text: String, _ width: Int) -> String {
            (isCut ? DisplayWidth.fitted(text, columns: width) : text).padded(to: width)
        }
        var cells: [String] = []
        if widths.place > 0 { cells.append(cell(place, widths.place)) }
        // An id is never cut: a long one takes the room of the differences.
        let overflow = max(0, DisplayWidth.columns(of: id) - widths.id)
        let room = widths.details.map { widths.id > 0 ? max(0, $0 - overflow) : $0 }
        if widths.details != 0 { cells.append(cell(details(room), room ?? Self.detailsWidth)) }
        if widths.id > 0 { cells.append(id) }
        return cells.joined(separator: "  ").withoutSpacesAtEnd
    }

    private static func color(of word: String) -> StaticString? {
        switch word {
        case "new", "late", "restored", "split", "entered": "32"
        case "deleted", "merged", "purged", "left": "31"
        default: nil
        }
    }
}

extension [String] {
    /// Says for which columns the terminal is too narrow: `no room for id`; nil if there are none.
    package var omissionWords: String? { isEmpty ? nil : "no room for \(joined(separator: ", "))" }
}
