import QuakeModel

/// The data block with the values that a page needs, and reads, only to save a file.
///
/// Together, this block and the main block have all properties of each quake as `quakes list` prints them. Numbers are
/// in columns, and combinations of strings in `kinds`. `rare` has values keyed by the index of the quake: those that
/// few quakes have, and those that differ from what the page derives.
struct SavedFileData {
    let quakes: [Quake]

    /// The properties in columns. A page leaves out those that no quake has.
    private static let numbers: [QuakeProperty] = [
        .sig, .tz, .nst, .dmin, .rms, .gap, .horizontalError, .depthError, .magError, .magNst,
    ]
    /// The properties whose combinations are in `kinds`.
    private static let sets: [QuakeProperty] = [.net, .sources, .types, .locationSource, .magSource]

    /// Returns the block. Nothing in the block can end the enclosing HTML element.
    func block() -> [UInt8] {
        let json = JSONWriter(isInMarkup: true)
        json.object {
            json.members([
                "names": QuakeProperty.allCases.map(\.rawValue), "sets": Self.sets.map(\.rawValue),
            ])
            // Relative to the origin time.
            json.member("updated", quakes.map { $0.updated.milliseconds - $0.originTime.milliseconds })
            for property in Self.numbers where quakes.contains(where: { $0[property] != .null }) {
                json.member(property.rawValue, quakes.map { $0[property] })
            }
            var words = UniqueList<QuakeValue>()
            var kinds = UniqueList<[Int]>()
            let kind = quakes.map { quake in kinds.index(of: Self.sets.map { words.index(of: quake[$0]) }) }
            json.members(["kind": kind, "kinds": kinds.elements, "words": words.elements])
            json.object("rare") {
                for (number, quake) in quakes.enumerated() {
                    let values = Self.rareValues(of: quake)
                    guard !values.isEmpty else { continue }
                    json.object("\(number)") {
                        for (property, value) in values { json.member(property.rawValue, value) }
                    }
                }
            }
        }
        return json.drain { Array($0) }
    }

    /// Returns the values of `quake` that save.js can neither derive from other values nor assume because most quakes
    /// have them.
    private static func rareValues(of quake: Quake) -> [(QuakeProperty, QuakeValue)] {
        var values: [(QuakeProperty, QuakeValue)] = []
        if quake.ids.text != ",\(quake.id)," { values.append((.ids, quake[.ids])) }
        if quake.tsunamiFlag != 0 { values.append((.tsunami, quake[.tsunami])) }
        for property in [QuakeProperty.felt, .cdi, .mmi] where quake[property].realValue == 0 {
            values.append((property, quake[property]))
        }
        for property in [QuakeProperty.magType, .status, .type] where quake[property] == .text("") {
            values.append((property, .text("")))
        }
        let kind = Quake.kind(ofType: quake.eventType).map { "\($0) " } ?? ""
        let title = "M \(Quake.titleMagnitude(quake.magnitude)) \(kind)- \(quake.place ?? "")"
        if quake.title != title { values.append((.title, .text(quake.title))) }
        if let url = quake.publishedURL { values.append((.url, .text(url))) }
        if let detail = quake.publishedDetail { values.append((.detail, .text(detail))) }
        if let extra = quake.extra { values.append((.extra, .text(extra))) }
        return values
    }
}
