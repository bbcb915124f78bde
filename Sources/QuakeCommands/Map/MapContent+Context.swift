import QuakeMap
import QuakeStore

extension MapContent {
    /// Reads the quakes that match `descriptor`. For a page, also reads their history; for a replay, also the quakes
    /// that once matched.
    init(_ descriptor: QuakeDescriptor, in context: QuakeContext, isPast: Bool, isPage: Bool, isReplay: Bool) throws {
        let freshness = try context.freshness(isPast: isPast)
        self.init(quakes: [], title: descriptor.headline, subtitle: freshness.words, asOf: freshness.moment)
        if isReplay {
            try readReplay(descriptor, in: context)
        } else {
            let shown = try context.fetch(descriptor)
            quakes = shown.map(\.quake)
            if isPage { try readHistory(of: shown, in: context) }
        }
        // If there are quakes, the headline shows their period, so the title omits the requested times.
        if !quakes.isEmpty { title = descriptor.withoutTimes.headline }
    }

    /// Sets the extent and the outlines of the map to the circles and boxes of `descriptor`, and names `sites`, the
    /// centers of the circles. If no site is a city, the title says where the only circle or box is.
    mutating func setScope(to descriptor: QuakeDescriptor, around sites: [Site], home: Site?, _ unit: LengthUnit) {
        let boxes = descriptor.filter.boundingBoxes.map(Scope.box)
        let circles = descriptor.filter.circles.map {
            Scope.circle(center: $0.center, radiusKilometers: $0.radiusKilometers)
        }
        extent = boxes.bounds ?? circles.bounds
        scope = circles.isEmpty ? boxes : circles
        let named = scope.count > 1 || sites.contains(where: \.isNamed)
        let whereabouts = named ? nil : scope.first?.whereabouts
        let addition = whereabouts.map { " (\($0))" } ?? ""
        if circles.isEmpty {
            var onlyBoxes = QuakeFilter()
            onlyBoxes.boundingBoxes = descriptor.filter.boundingBoxes
            let words = onlyBoxes.headlines.joined()
            if !words.isEmpty { title = title.replacing(words, with: words + addition) }
        } else {
            title = sites.naming(
                (quakes.isEmpty ? descriptor : descriptor.withoutTimes).headline(around: sites.names + addition, unit))
            // A center given by coordinates has no name.
            centers = sites.filter { $0.point != home?.point }.map {
                NamedPlace(point: $0.point, name: $0.isNamed || $0.origin != .near ? $0.name : "")
            }
        }
    }

    private mutating func readHistory(of shown: [StoredQuake], in context: QuakeContext) throws {
        let ids = Dictionary(uniqueKeysWithValues: shown.map { ($0.key, $0.quake.id) })
        for key in try context.keysWithSolutions() {
            if let id = ids[key] { solutions[id] = try context.solutions(ofKey: key) }
        }
        var transactions: [TransactionNumber: HistoryTransaction] = [:]
        try context.history.forEachChange(ofKeys: shown.map(\.key)) { change in
            let number = change.transaction
            guard let id = ids[change.quakeKey],
                let transaction = try transactions[number] ?? context.history.transaction(number)
            else { return }
            transactions[number] = transaction
            revisions[id, default: []].append(
                Revision(change, recorded: transaction.time, published: transaction.provenance?.generated))
        }
    }
}

extension QuakeDescriptor {
    var withoutTimes: QuakeDescriptor {
        var descriptor = self
        descriptor.filter.since = nil
        descriptor.filter.until = nil
        return descriptor
    }

    /// A headline for the conditions and the limit: `M 4.5+ · since 2025-05-04 · newest 10`.
    var headline: String { ([filter.headline] + limitWords).joined(separator: " · ") }

    /// The limit in words: `newest 10`; empty without a limit.
    private var limitWords: [String] {
        limit.map { ["\(sortKeys == [QuakeSortKey(.time)] ? "newest" : "first") \($0.grouped)"] } ?? []
    }

    /// Returns a headline that begins with the circles, which all have the same radius: `Within 2,000 km of Tokyo · M
    /// 2.5+`.
    func headline(around place: String, _ unit: LengthUnit) -> String {
        guard let circle = filter.circles.first else { return headline }
        var others = filter
        others.circles = []
        let radius = unit.amount(ofKilometers: circle.radiusKilometers)
        let whole = Int(exactly: radius.rounded())?.grouped ?? PlainNumber.text(radius)
        let length = radius < 10 ? unit.distanceText(circle.radiusKilometers) : "\(whole) \(unit)"
        return (["Within \(length) of \(place)"] + others.headlines + limitWords).joined(separator: " · ")
    }
}
