import QuakeModel

/// The data block with the values that only saved files contain. A page reads it when it saves one.
///
/// Together with the main block, it has all properties of each quake as `list` prints them. Numbers are in columns,
/// and combinations of words in `kinds`. Values that the page derives from others, or that few quakes have, are by the
/// index of the quake (`rare`), and only if they differ.
struct SavedValues {
    let quakes: [Quake]

    /// The properties in columns, of which a page contains those that any quake has.
    private static let numbers: [QuakeProperty] = [
        .sig, .tz, .nst, .dmin, .rms, .gap, .horizontalError, .depthError, .magError, .magNst,
    ]
    /// The properties of a combination.
    private static let sets: [QuakeProperty] = [.net, .sources, .types, .locationSource, .magSource]

    /// Returns the block. Nothing in it can end the enclosing HTML element.
    func block() -> [UInt8] {
        let json = JSONWriter(isInMarkup: true)
        json.object {
            json.members([
                "names": QuakeProperty.allCases.map(\.rawValue), "sets": Self.sets.map(\.rawValue),
            ])
            // Since the quake.
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
        return json.take { Array($0) }
    }

    /// Returns the values of `quake` that a page cannot derive as save.js does: from the other values, or as those that
    /// most quakes have.
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
