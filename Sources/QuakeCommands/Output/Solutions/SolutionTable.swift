import QuakeModel

/// Writes the solutions of a quake for people: the successive preferred origins, or every version of every origin and
/// mechanism, and a line for the preferred moment tensor.
struct SolutionTable {
    private let history: SolutionHistory
    private let steps: [SolutionStep]
    private let style: OutputStyle
    private let writer: ByteWriter
    private let lines: WrappedLines

    init(_ history: SolutionHistory, _ writer: ByteWriter, _ style: OutputStyle) {
        self.history = history
        self.writer = writer
        self.style = style
        steps = history.preferredOverTime(.origins)
        lines = WrappedLines(writer, columns: style.terminalColumns)
    }

    /// Writes the solutions. With `versions`, lists every version.
    func write(versions: Bool) {
        let mechanism = history.preferred(.mechanisms)
        if versions {
            section("origins", ["STATUS"], versionRows(.origins) { [$0.text(.status) ?? ""] })
            section(
                "mechanisms", ["NODAL PLANE", "DC"],
                versionRows(.mechanisms) { [$0.planeWords ?? "", $0.coupleWords ?? ""] })
            lines.append("* preferred, + formerly preferred")
        } else {
            var previous: SolutionVersion?
            var hasChanged = false
            let rows = steps.map { step in
                let isOther = previous.map { $0.source != step.version.source || $0.code != step.version.code } ?? false
                let way = previous?.epicenter.flatMap { step.version.epicenter?.distanceKilometers(to: $0) } ?? 0
                previous = step.version
                hasChanged = hasChanged || isOther
                return leadingCells(step.version, preferredSince: step.since, mark: isOther ? "*" : "")
                    + [way > 0 ? style.display.unit.distanceText(way) : "", step.version.text(.status) ?? ""]
            }
            section("solutions", ["MOVED", "STATUS"], rows)
            if hasChanged { lines.append("* preferred origin changed") }
        }
        if let mechanism {
            let published = style.display.timeZone.minuteWords(mechanism.published).prefix(10)
            lines.append(
                label: "tensor  ", "\(mechanism.mechanismWords) (\(mechanism.source), \(published))")
        }
    }

    /// Returns a row for each version of `kind`. `last` returns the cells at the end of the row.
    private func versionRows(_ kind: SolutionKind, _ last: (SolutionVersion) -> [String]) -> [[String]] {
        zip(history[kind], history.preferences(of: kind)).map { version, preference in
            leadingCells(version, mark: preference == .current ? "*" : preference == .former ? "+" : "") + last(version)
        }
    }

    /// Returns the first cells of a row. `preferredSince` is when the version became preferred; nil in the list of all
    /// versions.
    private func leadingCells(_ version: SolutionVersion, preferredSince: Timestamp? = nil, mark: String) -> [String] {
        let published = preferredSince ?? version.published
        let after = (steps.last?.version.time).flatMap { $0 <= published ? (published - $0).words : nil }
        let magnitude = version.number(.mag).map { "\(Quake.titleMagnitude($0)) \(version.text(.magType) ?? "")" }
        return [
            mark, style.display.timeZone.minuteWords(published), after ?? "",
            preferredSince == nil ? "\(version.source) \(version.code)" : version.source,
            version.values == nil ? "deleted" : magnitude ?? "?",
            version.number(.depth).map { style.display.unit.lengthText($0, decimals: 1) } ?? "",
        ]
    }

    private func section(_ heading: String, _ lastTitles: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        let published = "PUBLISHED (\(style.display.timeZone.isUTC ? "UTC" : "LOCAL"))"
        let titles = ["", published, "AFTER", "SOURCE", "MAG", "DEPTH"] + lastTitles
        let columns = titles.enumerated().map { index, title in
            TextColumn<[String]>(title, 1, minimumWidth: title == "SOURCE" ? 12 : .max, priority: 0) { $0[index] }
        }
        writer.append(heading + "\n")
        TextTable.write(rows, in: columns, writer, style)
    }
}
