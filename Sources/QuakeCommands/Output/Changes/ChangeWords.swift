import QuakeModel

/// A description of what happened to a quake, in plain words.
///
/// The most important differences come first. Differences in bookkeeping values, such as the number of stations, are
/// only counted.
struct ChangeWords {
    /// `new`, `revised`, `retracted`, …
    let word: String
    /// `M 4.5`, or `M 4.5 → 4.7` if the displayed values differ.
    let magnitude: String
    /// The magnitude after the change, or the last magnitude of a deleted quake.
    let magnitudeValue: Double?
    /// The place after the change, or the last place of a deleted quake. Names the type of an event that is not an
    /// earthquake. Empty if there is no place.
    let place: String
    /// The notable differences, most important first. For a change without differences, another remark, such as `8 min
    /// ago`.
    private(set) var differences: [String]
    /// The number of bookkeeping values that differ.
    let bookkeepingCount: Int
    /// Whether all these bookkeeping values were unknown before.
    private var fillsIn = false
    /// The id after the change, or the last id of a deleted quake.
    let id: String

    /// Describes `change`. `operation` is its effect as a filter sees it; `survivor` is the id of the quake into which
    /// a deleted quake was merged.
    init(
        _ change: HistoryChange, operation: RelevantChange.Operation? = nil, now: Timestamp? = nil,
        survivor: String? = nil, unit: LengthUnit = .km, zone: DisplayTimeZone = .utc
    ) {
        switch change.effect {
        case .insert(let quake):
            word = Self.specificReasons.contains(change.reason) ? change.reason.rawValue : "new"
            magnitude = "M \(Quake.titleMagnitude(quake.magnitude))"
            let age = now.map { quake.originTime.ageOrDate(at: $0, in: zone) }
            differences = [change.reason == .undone ? "restored" : age].compactMap(\.self)
            bookkeepingCount = 0
            id = quake.id
        case .update(let before, let after, let changed):
            word = operation == .enter ? "entered" : operation == .leave ? "left" : change.reason.rawValue
            let sides = [before, after].map { Quake.titleMagnitude($0.magnitude) }
            magnitude = sides[0] == sides[1] ? "M \(sides[1])" : "M \(sides[0]) → \(sides[1])"
            let difference = QuakeDifference(before: before, after: after, unit: unit)
            let former = before.id == after.id ? [] : ["formerly \(before.id)"]
            differences = former + difference.notableTexts(among: changed)
            let bookkeeping = difference.bookkeeping(among: changed)
            bookkeepingCount = bookkeeping.count
            fillsIn = bookkeeping.allSatisfy { before[$0] == .null }
            id = after.id
        case .delete(let tombstone, let key):
            word =
                key != nil
                ? "merged" : Self.specificReasons.contains(change.reason) ? change.reason.rawValue : "deleted"
            magnitude = "M \(Quake.titleMagnitude(tombstone.magnitude))"
            // If the survivor has taken this id, the id does not distinguish the two quakes.
            let taken = survivor == tombstone.id ? "the quake that took this id" : survivor
            let merged = key.map { "into \(taken ?? "quake \($0)")" }
            let reason = change.reason == .undone ? "removed" : change.reason.rawValue
            differences = [merged ?? (word == reason ? nil : reason)].compactMap(\.self)
            bookkeepingCount = 0
            id = tombstone.id
        }
        let state = change.after ?? change.before
        magnitudeValue = state?.magnitude
        place = state?.describedPlace ?? ""
    }

    /// Describes a quake in a resync.
    init(present quake: Quake, now: Timestamp?, zone: DisplayTimeZone = .utc) {
        word = "present"
        magnitude = "M \(Quake.titleMagnitude(quake.magnitude))"
        magnitudeValue = quake.magnitude
        place = quake.describedPlace ?? ""
        differences = now.map { [quake.originTime.ageOrDate(at: $0, in: zone)] } ?? []
        bookkeepingCount = 0
        id = quake.id
    }

    /// Puts the estimated intensity at `place` first, with the level before the change if known. Does nothing if the
    /// level is the same, or if neither level is felt (I). `before` is nil if the quake is new to the reader.
    mutating func addIntensityDifference(of quake: Quake?, before: Quake?, at place: GeographicPoint) {
        guard let level = quake?.estimatedIntensity(at: place)?.level else { return }
        let former = before?.estimatedIntensity(at: place)?.level
        guard level != former, max(level, former ?? level).rawValue > 1 else { return }
        differences.insert("estimated here: \(former.map { "\($0) → " } ?? "")\(level)", at: 0)
    }

    /// Whether only bookkeeping values differ.
    var isMinor: Bool { differences.isEmpty && bookkeepingCount > 0 && !magnitude.contains("→") }

    /// The two most important differences, and the number of all others.
    var details: String {
        let rest = max(0, differences.count - 2) + bookkeepingCount
        if differences.isEmpty, rest > 0 {
            return rest.counted(magnitude.contains("→") ? "other field" : "field") + (fillsIn ? " added" : " changed")
        }
        return (differences.prefix(2) + (rest > 0 ? ["+\(rest) more"] : [])).joined(separator: ", ")
    }

    /// The magnitude, if its displayed value differs, and the ``details``.
    var allDifferences: String {
        [magnitude.contains("→") ? magnitude : "", details].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The reasons that are shown instead of "new" and "deleted", because they say more.
    private static let specificReasons: Set<ChangeReason> = [.late, .restored, .split, .undone, .retracted, .purged]
}

extension Timestamp {
    /// Returns how long ago this was: `8 min ago`.
    func age(at now: Timestamp) -> String {
        if self > now { return "in the future" }
        return now - self < .seconds(1) ? "just now" : "\((now - self).words) ago"
    }

    /// Returns how long ago this was or, after a week, the date and time.
    fileprivate func ageOrDate(at now: Timestamp, in zone: DisplayTimeZone) -> String {
        now - self < .seconds(7 * 86_400) ? age(at: now) : "at \(zone.minuteWords(self))"
    }
}

/// The differences between two states of a quake, in plain words: `depth 10 → 23.4 km`.
struct QuakeDifference {
    let before: Quake
    let after: Quake
    var unit = LengthUnit.km

    /// The notable properties, most important first. The magnitude gives a difference only if its displayed value is
    /// the same; otherwise, the magnitude column shows the change.
    private static let ranked: [QuakeProperty] = [
        .alert, .tsunami, .lat, .time, .depth, .type, .status, .felt, .place, .mmi, .cdi, .mag, .magType,
    ]

    /// The largest change in depth, in km, that counts as a refinement.
    private static let notableDepth = 5.0
    /// The largest move of the epicenter, in km, that counts as a refinement.
    private static let notableMove = 10.0
    /// The largest change in origin time, in milliseconds, that counts as a refinement.
    private static let notableShift: Int64 = 10_000

    /// Returns the notable differences among the `changed` properties, most important first. Refinements come last.
    func notableTexts(among changed: [QuakeProperty]) -> [String] {
        var properties = Set(changed)
        // Latitude and longitude are reported as one move.
        if properties.remove(.lon) != nil { properties.insert(.lat) }
        let told = Self.ranked.filter(properties.contains)
        return (told.filter { !isRefinement($0) } + told.filter(isRefinement)).compactMap(words)
    }

    /// Whether a value differs only by an amount that is common in revisions, or is of little importance.
    private func isRefinement(_ property: QuakeProperty) -> Bool {
        switch property {
        case .alert, .tsunami, .type, .status, .felt: return false
        case .depth:
            guard let before = before.hypocenter.depthKilometers, let after = after.hypocenter.depthKilometers else {
                return false
            }
            return abs(after - before) <= Self.notableDepth
        case .lat: return before.epicenter.distanceKilometers(to: after.epicenter) <= Self.notableMove
        case .time: return abs(after.originTime.milliseconds - before.originTime.milliseconds) <= Self.notableShift
        default: return true
        }
    }

    /// Returns the `changed` properties that neither a difference nor a column shows.
    func bookkeeping(among changed: [QuakeProperty]) -> [QuakeProperty] {
        changed.filter { !Self.ranked.contains($0) && ![.lon, .net, .code].contains($0) }
    }

    private func words(_ property: QuakeProperty) -> String? {
        switch property {
        case .depth:
            let depths = [before, after].map { $0.hypocenter.depthKilometers.map(unit.amount) }
            return numbers("depth", depths[0], depths[1], unit: " \(unit.rawValue)")
        case .lat: return "moved \(unit.distanceText(before.epicenter.distanceKilometers(to: after.epicenter)))"
        case .time: return shift
        case .place: return "place was \(before.place ?? "unknown")"
        case .tsunami:
            if after.tsunami == true { return "tsunami flag set" }
            return before.tsunami == true ? "tsunami flag cleared" : "tsunami flag not set"
        case .status where after.status == "reviewed": return "now reviewed"
        case .mag:
            let isShown = Quake.titleMagnitude(before.magnitude) != Quake.titleMagnitude(after.magnitude)
            return isShown ? nil : numbers("mag", before.magnitude, after.magnitude)
        case .felt:
            let counts = [before.feltReports, after.feltReports].map { $0?.grouped ?? "none" }
            return before.feltReports == nil ? "felt \(counts[1])" : "felt \(counts[0]) → \(counts[1])"
        case .mmi: return numbers("mmi", before.instrumentalIntensity, after.instrumentalIntensity)
        case .cdi: return numbers("cdi", before.communityIntensity, after.communityIntensity)
        default:
            let sides = (before[property].words(of: property), after[property].words(of: property))
            return before[property] == .null
                ? "\(property.rawValue) \(sides.1)" : "\(property.rawValue) \(sides.0) → \(sides.1)"
        }
    }

    private var shift: String {
        let milliseconds = after.originTime.milliseconds - before.originTime.milliseconds
        let sign = milliseconds < 0 ? "-" : "+"
        let seconds = Double(milliseconds.magnitude) / 1000
        let amount = seconds < 60 ? "\(PlainNumber.text(seconds, decimals: 2)) s" : Duration.seconds(seconds).words
        return "origin time \(sign)\(amount)"
    }

    private func numbers(_ name: String, _ before: Double?, _ after: Double?, unit: String = "") -> String {
        guard let before else { return "\(name) \(after.map { PlainNumber.text($0, decimals: 1) } ?? "none")\(unit)" }
        guard let after else { return "\(name) \(PlainNumber.text(before, decimals: 1))\(unit) → none" }
        let sides = PlainNumber.pair(before, after)
        return "\(name) \(sides[0]) → \(sides[1])\(unit)"
    }
}
