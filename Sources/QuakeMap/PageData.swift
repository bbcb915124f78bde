import QuakeModel
import QuakePlaces

/// The data blocks of the page: JSON by columns, so that the name of a value stands once and not once per quake. The
/// history has a block of its own, which a page reads when it needs it.
///
/// Values that most quakes share or lack are kept apart: words as places in a list of words (`words`), the usual
/// combinations of magnitude type, status and type (`kinds`), the two parts of a place (`parts`), regions by the last
/// parts of places that spell them otherwise (`regions`), rare values by the number of their quake (`rare`). Times are
/// milliseconds since the quake before, longitude and latitude ten-thousandths of a degree (11 m). Magnitude and depth
/// are as published, so that a filter counts what `list` counts.
struct PageData {
    private let picture: MapPicture
    /// The quakes of the picture, then those that only a replay shows, and the revisions of each.
    private let quakes: [Quake]
    private let revisions: [[MapPicture.Revision]]
    private var words = NumberedList<String>()
    private let nearest = NearestCity()
    private var cities = NumberedList<City>()

    init(_ picture: MapPicture) {
        self.picture = picture
        let departed = picture.replay?.departed ?? []
        quakes = picture.quakes + departed.map(\.quake)
        revisions = picture.quakes.map { picture.revisions[$0.id] ?? [] } + departed.map(\.revisions)
    }

    /// Writes all but the history. Nothing in it can end the block it stands in.
    mutating func write(to writer: inout PageWriter) {
        let bounds = picture.bounds
        writer.append("{\"title\":")
        writer.appendJSON(picture.title)
        writer.append(",\"asOf\":\(picture.asOf.milliseconds),\"selected\":")
        writer.appendJSON(picture.selected?.id)
        writer.append(",\"bounds\":[\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)]")
        writer.append(",\"count\":\(quakes.count),\"present\":\(picture.quakes.count)")
        writeScale(to: &writer)
        writeSettings(to: &writer)
        var previous: Int64 = 0
        writeColumn("time", to: &writer) { quake, writer in
            writer.append("\(quake.originTime.milliseconds - previous)")
            previous = quake.originTime.milliseconds
        }
        writeColumn("lon", to: &writer) { $1.append("\(Int(($0.hypocenter.longitude * 10_000).rounded()))") }
        writeColumn("lat", to: &writer) { $1.append("\(Int(($0.hypocenter.latitude * 10_000).rounded()))") }
        writeColumn("depth", to: &writer) { $1.appendJSON($0.hypocenter.depthKilometers) }
        writeColumn("mag", to: &writer) { $1.appendJSON($0.magnitude) }
        writeColumn("id", to: &writer) { $1.appendJSON($0.id) }
        writePlaces(to: &writer)
        writeRegions(to: &writer)
        writeKinds(to: &writer)
        writeRare(to: &writer)
        writeSolutions(to: &writer)
        writeCities(to: &writer)
        writer.appendArray("words", words.elements) { $1.appendJSON($0) }
        writer.append("}")
    }

    /// Places in two parts, `41 km S of ` and `Goldfield, Nevada`: each stands once, in `parts`.
    private func writePlaces(to writer: inout PageWriter) {
        var parts = NumberedList<Substring>()
        let places = quakes.map { quake -> (start: Int, name: Int)? in
            guard let place = quake.place else { return nil }
            let text = place.utf8
            let end = text.indices.last { text[$0] == UInt8(ascii: " ") && text[$0...].starts(with: " of ".utf8) }
            let name = end.map { text.index($0, offsetBy: 4) } ?? place.startIndex
            return (parts.index(of: place[..<name]), parts.index(of: place[name...]))
        }
        writer.appendArray("start", places) { $1.append("\($0?.start ?? 0)") }
        writer.appendArray("name", places) { $1.append($0.map { "\($0.name)" } ?? "null") }
        writer.appendArray("parts", parts.elements) { $1.appendJSON(String($0)) }
    }

    /// What last parts of places lead to that are no names of regions themselves, of earlier places too:
    /// `"CA":"California"`. Looked up by what the page reads, so after ``TerminalText/sanitized(_:)``.
    private func writeRegions(to writer: inout PageWriter) {
        let changes = revisions.lazy.joined().flatMap(\.changes).filter { $0.property == .place }
        let earlier = changes.flatMap { [$0.before.textValue, $0.after.textValue] }
        let places = (quakes.map(\.place) + earlier).compactMap(\.self)
        let parts = Set(places.map { Region.lastPart(of: TerminalText.sanitized($0)) })
        let regions = parts.sorted().map { (part: $0, regions: Region.names(ofPart: $0).joined(separator: ", ")) }
        writer.append(",\"regions\":{")
        writer.appendList(regions.filter { $0.part != $0.regions }) { region, writer in
            writer.appendJSON(region.part)
            writer.append(":")
            writer.appendJSON(region.regions)
        }
        writer.append("}")
    }

    /// The city nearest to each quake, as its place in `cities`; the history, written before, refers to them too.
    private mutating func writeCities(to writer: inout PageWriter) {
        let epicenters = quakes.map(\.epicenter)
        writer.appendArray("city", epicenters.map { cityNumber($0) }) { $1.appendJSON($0) }
        writer.appendArray("cities", cities.elements) { city, writer in
            writer.append("[")
            writer.appendJSON(city.description)
            writer.append(",\(city.point.latitude),\(city.point.longitude)]")
        }
    }

    private mutating func cityNumber(_ epicenter: GeographicPoint) -> QuakeValue {
        nearest.city(to: epicenter).map { .integer(Int64(cities.index(of: $0))) } ?? .null
    }

    /// For each of the revisions that moved the quake to another nearest city: the city before and after.
    private mutating func cityChanges(
        _ revisions: [MapPicture.Revision], of quake: Quake
    ) -> [Int: (before: QuakeValue, after: QuakeValue)] {
        var found: [Int: (before: QuakeValue, after: QuakeValue)] = [:]
        var state = quake
        // Backwards from the present, as a replay that takes changes back.
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

    /// Magnitude type, status and type of each quake, as places in `words`: few combinations are in use.
    private mutating func writeKinds(to writer: inout PageWriter) {
        var kinds = NumberedList<[Int]>()
        let numbers = quakes.map { quake in
            kinds.index(of: [QuakeProperty.magType, .status, .type].map { words.index(of: quake[$0].textValue ?? "") })
        }
        writer.appendArray("kind", numbers) { $1.append("\($0)") }
        writer.appendArray("kinds", kinds.elements) { $1.append("[\($0[0]),\($0[1]),\($0[2])]") }
    }

    private func writeScale(to writer: inout PageWriter) {
        writer.append(",\"radius\":[\(MapScale.radius.smallest),\(MapScale.radius.growth)],\"scales\":{\"depth\":[")
        writeClasses(of: .depth, to: &writer)
        if let shaken = picture.shaken {
            writer.append("],\"shaking\":[")
            writeClasses(of: .shaking(at: shaken.point), to: &writer)
        }
        writer.append("],\"age\":[")
        writer.appendList(MapScale.ages) { age, writer in
            let limit = age.hours.map { PlainNumber.text($0 * 3_600_000) } ?? "null"
            writer.append(scaleClass(limit, age.colors, age.label))
        }
        writer.append("],\"type\":[")
        writer.appendList(MapScale.magnitudeTypes) { type, writer in
            writer.append(scaleClass(type.start.map { "\"\($0)\"" } ?? "null", type.colors, type.label))
        }
        writer.append("]}")
    }

    /// The classes of values, and at the end that of unknown ones.
    private func writeClasses(of coloring: MapColoring, to writer: inout PageWriter) {
        for (label, one) in zip(coloring.labels(dash: "–", atLeast: "≥", unit: "km"), coloring.classes) {
            let from = one.from.isFinite ? PlainNumber.text(one.from) : "null"
            writer.append("\(scaleClass(from, one.colors, label)),")
        }
        writer.append(scaleClass("null", MapScale.unknown.colors, "unknown"))
    }

    private func scaleClass(_ limit: String, _ colors: MapScale.Colors, _ label: String) -> String {
        "[\(limit),\"\(colors.light)\",\"\(colors.dark)\",\"\(label)\"]"
    }

    private func writeSettings(to writer: inout PageWriter) {
        writer.append(",\"unit\":\"\(picture.unit)\",\"zone\":")
        writer.appendJSON(picture.timeZone)
        writer.append(",\"reload\":\(picture.reloadInterval.map(String.init) ?? "null")")
        for (name, place) in [("shaken", picture.shaken), ("center", picture.center)] {
            guard let place else { continue }
            writer.append(",\"\(name)\":[\(place.point.latitude),\(place.point.longitude),")
            writer.appendJSON(place.name)
            writer.append("]")
        }
        if picture.coloring != .depth { writer.append(",\"color\":\"shaking\"") }
        writer.append(",\"home\":\(picture.home.map { "[\($0.latitude),\($0.longitude)]" } ?? "null"),\"scope\":")
        switch picture.scope {
        case nil: writer.append("null")
        case .box(let box):
            let bounds = MapBounds(box)
            writer.append("{\"box\":[\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)]}")
        case .circle(let center, let radius):
            writer.append("{\"circle\":[\(center.latitude),\(center.longitude),\(radius)]}")
        }
        writer.append(",\"replay\":")
        guard let replay = picture.replay else { return writer.append("null") }
        let published = replay.publishedStart.map { "\($0.milliseconds)" } ?? "null"
        writer.append("{\"learned\":\(replay.learnedStart.milliseconds),\"published\":\(published),\"shown\":{")
        // Whether each quake was in the picture, before its first revision and after each. As usual: only not before.
        var separator = ""
        for (number, revisions) in revisions.enumerated() {
            guard let first = revisions.first else { continue }
            let states = [first.wasShown] + revisions.map(\.isShown)
            let isUsual = !states[0] && states.dropFirst().allSatisfy { $0 } && first.reason.isArrival
            if isUsual { continue }
            writer.append("\(separator)\"\(number)\":\"\(states.map { $0 ? "1" : "0" }.joined())\"")
            separator = ","
        }
        writer.append("}}")
    }

    private func writeColumn(_ name: String, to writer: inout PageWriter, _ value: (Quake, inout PageWriter) -> Void) {
        writer.appendArray(name, quakes, value)
    }

    /// Values few quakes have: `"felt":{"17":230}` is the quake at place 17.
    private func writeRare(to writer: inout PageWriter) {
        let properties: [QuakeProperty] = [.felt, .cdi, .mmi, .alert, .tsunami]
        writer.append(",\"rare\":{")
        for property in properties {
            writer.append("\"\(property.rawValue)\":")
            writeSparse(to: &writer) { quake in
                let value = quake[property]
                return value == .null || value == .integer(0) ? nil : value
            }
            writer.append(",")
        }
        writer.append("\"ids\":")
        writeSparse(to: &writer) { quake in
            let others = quake.aliases.filter { $0 != quake.id }
            return others.isEmpty ? nil : .text(others.joined(separator: " "))
        }
        writer.append(",\"url\":")
        writeSparse(to: &writer) { quake in
            // A link leads to a page of the web or nowhere.
            quake.url != quake.derivedURL && quake.url.hasPrefix("https://") ? .text(quake.url) : nil
        }
        writer.append("}")
    }

    private func writeSparse(to writer: inout PageWriter, _ value: (Quake) -> QuakeValue?) {
        writer.append("{")
        var separator = ""
        for (number, quake) in quakes.enumerated() {
            guard let value = value(quake) else { continue }
            writer.append("\(separator)\"\(number)\":")
            writer.appendJSON(value)
            separator = ","
        }
        writer.append("}")
    }

    /// Writes what changed, by the place of the quake: `"17":[[seen, reason, published, [property, before, after], …],
    /// …]`, reason and property as places in the list of words, `seen` in milliseconds since the revision before, the
    /// first since the quake, `published` in milliseconds since it was seen.
    mutating func writeHistory(to writer: inout PageWriter) {
        writer.append("{")
        var separator = ""
        for (number, quake) in quakes.enumerated() where !revisions[number].isEmpty {
            writer.append("\(separator)\"\(number)\":[")
            separator = ","
            var previous = quake.originTime.milliseconds
            let cityChanges = cityChanges(revisions[number], of: quake)
            for (place, revision) in revisions[number].enumerated() {
                writer.append("\(place > 0 ? "," : "")[\(revision.seen.milliseconds - previous)")
                previous = revision.seen.milliseconds
                writer.append(",\(words.index(of: revision.isSolution ? "solved" : revision.reason.rawValue)),")
                writer.append(revision.published.map { "\($0.milliseconds - revision.seen.milliseconds)" } ?? "null")
                let changes = revision.changes.map { ($0.property.rawValue, $0.before, $0.after) }
                let moves = cityChanges[place].map { [("city", $0.before, $0.after)] } ?? []
                for (name, before, after) in changes + moves {
                    writer.append(",[\(words.index(of: name)),")
                    writer.appendList([before, after]) { $1.appendJSON($0) }
                    writer.append("]")
                }
                writer.append("]")
            }
            writer.append("]")
        }
        writer.append("}")
    }

    /// How quakes were solved, by their places: the preferred solutions as `[since, magnitude, depth]`, and the
    /// preferred mechanisms as `[since, words, source, tensor]`, the tensor with 1 as its greatest component.
    private func writeSolutions(to writer: inout PageWriter) {
        writer.append(",\"solved\":{")
        var separator = ""
        for (number, quake) in quakes.enumerated() {
            guard let history = picture.solutions[quake.id] else { continue }
            writer.append("\(separator)\"\(number)\":{\"steps\":[")
            separator = ","
            writer.appendList(history[.origins].steps) { step, writer in
                writer.append("[\(step.since.milliseconds),")
                writer.appendList([step.version.number(.mag), step.version.number(.depth)]) { $1.appendJSON($0) }
                writer.append("]")
            }
            writer.append("],\"mechanisms\":[")
            writer.appendList(history[.mechanisms].steps) { step, writer in
                writer.append("[\(step.since.milliseconds),")
                writer.appendList([step.version.mechanismWords, step.version.source]) { $1.appendJSON($0) }
                let tensor = step.version.momentTensor ?? []
                let greatest = tensor.map(abs).max() ?? 0
                writer.append(greatest > 0 ? ",[" : ",null")
                guard greatest > 0 else { return writer.append("]") }
                writer.appendList(tensor) { $1.appendJSON(($0 / greatest * 1e4).rounded() / 1e4) }
                writer.append("]]")
            }
            writer.append("]}")
        }
        writer.append("}")
    }
}

extension ChangeReason {
    /// Whether a quake that changes so was not there before.
    fileprivate var isArrival: Bool { [.new, .late, .split].contains(self) }
}

/// Values in the order in which they were first asked for.
private struct NumberedList<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    mutating func index(of element: Element) -> Int {
        if let place = places[element] { return place }
        places[element] = elements.count
        elements.append(element)
        return elements.count - 1
    }
}

extension PageWriter {
    mutating func appendList<Element>(_ list: [Element], _ body: (Element, inout PageWriter) -> Void) {
        for (number, element) in list.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            body(element, &self)
        }
    }

    /// A member whose value is an array, after others.
    mutating func appendArray<Element>(_ name: String, _ list: [Element], _ body: (Element, inout PageWriter) -> Void) {
        append(",\"\(name)\":[")
        appendList(list, body)
        append("]")
    }

    mutating func appendJSON(_ value: QuakeValue) {
        switch value {
        case .null: append("null")
        case .integer(let value): append("\(value)")
        case .real(let value): appendJSON(value)
        case .text(let value): appendJSON(value)
        }
    }

    mutating func appendJSON(_ value: Double?) {
        append(value.map { $0.isFinite ? PlainNumber.text($0) : "null" } ?? "null")
    }

    /// A text in quotes; controls, line separators and marks of direction have become U+FFFD.
    mutating func appendJSON(_ text: String?) {
        append(text.map { JSONText.quoted(TerminalText.sanitized($0), inMarkup: true) } ?? "null")
    }
}
