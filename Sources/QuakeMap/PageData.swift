import QuakeModel
import QuakePlaces

/// The data blocks of the page, as JSON in columns, so that each name appears once instead of once per quake. The
/// history and the data for saving files have their own blocks, which a page reads when needed.
///
/// Values that most quakes share or lack are stored separately: words as indices in a list (`words`), the common
/// combinations of magnitude type, status and type (`kinds`), the two parts of a place (`parts`), the regions of places
/// that do not end in the name of a region (`regions`), and rare values by the index of the quake (`rare`). Times are
/// milliseconds since the previous quake, and coordinates are in ten-thousandths of a degree (11 m). Magnitude and
/// depth are unrounded, so that a filter counts the same quakes as `list`.
struct PageData {
    private var json = JSONWriter(isInMarkup: true)
    private let content: MapContent
    /// The quakes on the map, followed by those that only appear in a replay.
    private let quakes: [Quake]
    private let revisions: [[MapContent.Revision]]
    private var words = UniqueList<String>()
    private let nearest = NearestCity()
    private var cities = UniqueList<City>()

    init(_ content: MapContent) {
        self.content = content
        let departed = content.replay?.departed ?? []
        quakes = content.quakes + departed.map(\.quake)
        revisions = content.quakes.map { content.revisions[$0.id] ?? [] } + departed.map(\.revisions)
    }

    /// Returns the block with everything except the history and the data for saving files. Nothing in the block can end
    /// the enclosing HTML element.
    mutating func mainBlock() -> [UInt8] {
        json.object {
            let bounds = content.bounds
            json.members([
                "title": content.title, "asOf": content.asOf.milliseconds, "selected": content.selected?.id,
                "bounds": [bounds.west, bounds.south, bounds.east, bounds.north], "count": quakes.count,
                "present": content.quakes.count,
            ])
            PageSettings(content: content, json: json).write()
            writeReplay()
            var previous: Int64 = 0
            writeColumn("time") { quake in
                defer { previous = quake.originTime.milliseconds }
                return quake.originTime.milliseconds - previous
            }
            writeColumn("lon") { Int(($0.hypocenter.longitude * 10_000).rounded()) }
            writeColumn("lat") { Int(($0.hypocenter.latitude * 10_000).rounded()) }
            writeColumn("depth") { $0.hypocenter.depthKilometers }
            writeColumn("mag") { $0.magnitude }
            writeColumn("id") { $0.id }
            writePlaces()
            writeRegions()
            writeKinds()
            writeRare()
            writeSolutions()
            writeCities()
            json.member("words", words.elements)
        }
        return takeJSON()
    }

    /// Returns the block with the values that a page needs only to save a file.
    func savedBlock() -> [UInt8] { SavedFileData(quakes: quakes).block() }

    private mutating func takeJSON() -> [UInt8] {
        defer { json = JSONWriter(isInMarkup: true) }
        return json.drain { Array($0) }
    }

    private func writeColumn(_ name: String, _ value: (Quake) -> (any RecordValue)?) {
        json.array(name) { for quake in quakes { json.value(value(quake)) } }
    }

    /// Writes places in two parts, `41 km S of ` and `Goldfield, Nevada`; each part appears once in `parts`.
    private func writePlaces() {
        var parts = UniqueList<Substring>()
        let places = quakes.map { quake -> (start: Int, name: Int)? in
            guard let place = quake.place else { return nil }
            let text = place.utf8
            let end = text.indices.last { text[$0] == UInt8(ascii: " ") && text[$0...].starts(with: " of ".utf8) }
            let name = end.map { text.index($0, offsetBy: 4) } ?? place.startIndex
            return (parts.index(of: place[..<name]), parts.index(of: place[name...]))
        }
        json.member("start", places.map { $0?.start ?? 0 })
        json.array("name") { for place in places { json.value(place?.name) } }
        json.member("parts", parts.elements.map { String($0) })
    }

    /// Writes the region for the last part of each current or past place, unless that part is already the region's
    /// name: `"CA":"California"`. The keys are sanitized like all text of the page (``TerminalText/sanitized(_:)``).
    private func writeRegions() {
        let changes = revisions.lazy.joined().flatMap(\.changes).filter { $0.property == .place }
        let earlier = changes.flatMap { [$0.before.textValue, $0.after.textValue] }
        let places = (quakes.map(\.place) + earlier).compactMap(\.self)
        json.object("regions") {
            for part in Set(places.map { Region.partAfterLastComma(of: TerminalText.sanitized($0)) }).sorted() {
                let regions = Region.names(ofPart: part).joined(separator: ", ")
                if part != regions { json.member(part, regions) }
            }
        }
    }

    /// Writes the nearest city of each quake as an index in `cities`. The history, which is written first, uses the
    /// same indices.
    private mutating func writeCities() {
        json.member("city", quakes.map(\.epicenter).map { cityNumber($0) })
        json.array("cities") {
            for city in cities.elements { json.list(city.description, city.point.latitude, city.point.longitude) }
        }
    }

    private mutating func cityNumber(_ epicenter: GeographicPoint) -> QuakeValue {
        nearest.city(to: epicenter).map { .integer(Int64(cities.index(of: $0))) } ?? .null
    }

    /// For each revision that changed the nearest city, returns that city before and after, keyed by the index of the
    /// revision.
    private mutating func cityChanges(
        _ revisions: [MapContent.Revision], of quake: Quake
    ) -> [Int: (before: QuakeValue, after: QuakeValue)] {
        var found: [Int: (before: QuakeValue, after: QuakeValue)] = [:]
        var state = quake
        // Go backward from the present, like a replay that undoes changes.
        for (number, revision) in revisions.enumerated().reversed() {
            let moves = revision.changes.filter { [.lat, .lon].contains($0.property) }
            guard !moves.isEmpty else { continue }
            for move in moves { state.set(move.property, to: move.after) }
            let after = cityNumber(state.epicenter)
            for move in moves { state.set(move.property, to: move.before) }
            let before = cityNumber(state.epicenter)
            if before != after { found[number] = (before, after) }
        }
        return found
    }

    /// Writes magnitude type, status and type of each quake as indices in `words`. Few combinations are in use.
    private mutating func writeKinds() {
        var kinds = UniqueList<[Int]>()
        let numbers = quakes.map { quake in
            kinds.index(of: [QuakeProperty.magType, .status, .type].map { words.index(of: quake[$0].textValue ?? "") })
        }
        json.members(["kind": numbers, "kinds": kinds.elements])
    }

    /// Writes what a page needs to show past states; null if it shows only the present.
    private func writeReplay() {
        guard let replay = content.replay else { return json.member("replay", nil) }
        json.object("replay") {
            json.members([
                "recorded": replay.recordedStart.milliseconds, "published": replay.publishedStart?.milliseconds,
            ])
            json.object("shown") { writeStates() }
        }
    }

    /// Writes whether each quake was on the map before its first revision and after each revision. Quakes that were
    /// missing only before their first revision are left out.
    private func writeStates() {
        for (number, revisions) in revisions.enumerated() {
            guard let first = revisions.first else { continue }
            let states = [first.wasShown] + revisions.map(\.isShown)
            let isUsual = !states[0] && states.dropFirst().allSatisfy { $0 } && first.reason.isArrival
            if !isUsual { json.member("\(number)", states.map { $0 ? "1" : "0" }.joined()) }
        }
    }

    /// Writes values that few quakes have: `"felt":{"17":230}` is for the quake at index 17.
    private func writeRare() {
        func write(_ name: String, _ value: (Quake) -> (any RecordValue)?) {
            json.object(name) {
                for (number, quake) in quakes.enumerated() {
                    if let value = value(quake) { json.member("\(number)", value) }
                }
            }
        }
        json.object("rare") {
            for property in [QuakeProperty.felt, .cdi, .mmi, .alert, .tsunami] {
                write(property.rawValue) { [.null, .integer(0)].contains($0[property]) ? nil : $0[property] }
            }
            write("sig") { ($0.significance ?? 0) >= 600 ? $0.significance : nil }
            write("ids") { quake in
                let others = quake.aliases.filter { $0 != quake.id }
                return others.isEmpty ? nil : others.joined(separator: " ")
            }
            // Links of other kinds, such as `javascript:`, would not be safe to follow.
            write("url") { $0.pageURL != $0.derivedURL && $0.pageURL.hasPrefix("https://") ? $0.pageURL : nil }
        }
    }

    /// Returns the block with the revisions of each quake, keyed by the index of the quake:
    /// `"17":[[recorded, reason, published, [property, before, after], …], …]`. `reason` and `property` are indices in
    /// `words`. `recorded` is in milliseconds since the previous revision or, for the first, since the origin time.
    /// `published` is in milliseconds since `recorded`, so usually negative; null if unknown.
    mutating func historyBlock() -> [UInt8] {
        json.object {
            for (number, quake) in quakes.enumerated() where !revisions[number].isEmpty {
                var previous = quake.originTime.milliseconds
                let cityChanges = cityChanges(revisions[number], of: quake)
                json.array("\(number)") {
                    for (place, revision) in revisions[number].enumerated() {
                        let recorded = revision.recorded.milliseconds
                        json.array {
                            json.value(recorded - previous)
                            json.value(words.index(of: revision.isSolution ? "new solution" : revision.reason.rawValue))
                            json.value(revision.published.map { $0.milliseconds - recorded })
                            let changes = revision.changes.map { ($0.property.rawValue, $0.before, $0.after) }
                            let moves = cityChanges[place].map { [("city", $0.before, $0.after)] } ?? []
                            for (name, before, after) in changes + moves {
                                json.list(words.index(of: name), before, after)
                            }
                        }
                        previous = recorded
                    }
                }
            }
        }
        return takeJSON()
    }

    /// Writes the solutions, keyed by the index of the quake: preferred origins as `[since, magnitude, depth]`, and
    /// preferred mechanisms as `[since, words, source, tensor]`, with the tensor scaled to a largest component of 1.
    private func writeSolutions() {
        json.object("solutions") {
            for (number, quake) in quakes.enumerated() {
                guard let history = content.solutions[quake.id] else { continue }
                json.object("\(number)") {
                    json.array("steps") {
                        for step in history.preferredOverTime(.origins) {
                            json.list(step.since.milliseconds, step.version.number(.mag), step.version.number(.depth))
                        }
                    }
                    json.array("mechanisms") {
                        for step in history.preferredOverTime(.mechanisms) {
                            let tensor = step.version.momentTensor ?? []
                            let greatest = tensor.map(abs).max() ?? 0
                            json.list(
                                step.since.milliseconds, step.version.mechanismWords, step.version.source,
                                greatest > 0 ? tensor.map { ($0 / greatest * 1e4).rounded() / 1e4 } : nil)
                        }
                    }
                }
            }
        }
    }
}

extension ChangeReason {
    /// Whether a change for this reason is the first that the cache recorded for a quake.
    fileprivate var isArrival: Bool { [.new, .late, .split].contains(self) }
}

extension JSONWriter {
    /// Writes an array.
    func list(_ values: (any RecordValue)?...) { array { values.forEach(value) } }
}
