import QuakeTestSupport

@testable import QuakeMirror

/// The document of a situation: its kind, its time and facts about it, such as `feed 12:05 also=us1 alone`.
struct NotedDocument {
    enum Kind: String {
        /// A summary feed of all quakes of a day, an hour or a month.
        case feed, hour, month
        /// A summary feed of a day with the quakes of a magnitude band.
        case band
        /// A table with only some of the properties: USGS's CSV, with or without uncertainties.
        case table
        /// The response to a query for all quakes of some times, as a feed.
        case query
        /// The event service's response for a request window, without conditions or with some.
        case window, conditions
        /// The event service's response about changes.
        case update
        /// The event service's answer about a single id.
        case answer
    }

    let kind: Kind
    private(set) var sourceTime = Timestamp.minute(5)
    private(set) var turn = FeatureIdentity.Turn.last
    /// The keys of the quakes that earlier features list.
    private(set) var listed: Set<QuakeKey> = []
    private(set) var settings = MirrorSettings()
    private var asked = ""
    private var otherIDs: [String] = []
    private var separateIDs: Set<String> = []
    private var times = Timestamp.sample - .seconds(12 * 3600)...Timestamp.sample + .seconds(12 * 3600)
    private var coveredBefore: [ClosedRange<Timestamp>] = []
    private var fetchedWhole = RangeSet<Timestamp>()
    private var undecided = AmbiguityPolicy.askService
    private var isWhole = true
    /// Whether a table lacks places and all uncertainties except `mag_error`.
    private var isBare = false
    private var isNewest = true

    init(_ text: Substring) throws {
        let words = text.split(separator: " ")
        guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else {
            throw NotationError(text: String(text))
        }
        self.kind = kind
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 {
                try set(parts[0], to: parts[1])
            } else {
                try set(word)
            }
        }
    }

    private mutating func set(_ word: Substring) throws {
        switch word {
        case "alone": undecided = .useIDs
        case "short": isWhole = false
        case "bare": isBare = true
        case "old": isNewest = false
        default: sourceTime = try Timestamp(clock: word)
        }
    }

    private mutating func set(_ name: Substring, to value: Substring) throws {
        let values = value.split(separator: ",")
        switch name {
        case "about": asked = String(value)
        case "also": otherIDs = values.map { String($0) }
        case "separate": separateIDs = Set(values.map { $0.lowercased() })
        case "earlier": listed = Set(try values.flatMap(\.expanded).map { try QuakeKey(notation: $0) })
        case "turn": turn = value == "first" ? .first : .merges
        case "times":
            let ends = try Timestamp.clocks(value)
            times = ends.first...ends.last
        case "before":
            coveredBefore = try values.map {
                let ends = try Timestamp.clocks($0)
                return ends.first...ends.last
            }
        case "whole":
            let ends = try Timestamp.clocks(value)
            fetchedWhole = RangeSet(ends.first..<ends.last)
        case "confirm": settings = MirrorSettings(confirmSnapshots: Int(value) ?? 0, confirmAfter: .zero)
        default: throw NotationError(text: "\(name)=\(value)")
        }
    }

    /// The facts about the document if it lists quakes with these ids, and those that the notation adds.
    func facts(listing ids: [String]) -> SnapshotFacts {
        let lowercased = Set((ids + otherIDs).map { $0.lowercased() })
        let listing = DocumentListing(
            listingKind, separateIDs: separateIDs, wouldList: { wouldList($0) }, isWhole: { isWhole }
        ) { lowercased }
        return SnapshotFacts(
            sourceTime: sourceTime, window: window,
            countsAbsences: window != nil && kind != .band && isWhole && isNewest, coveredBefore: coveredBefore,
            listing: listing, missingProperties: lacks, ambiguousFeatures: undecided, timesToFetchAgain: fetchedWhole,
            isFromService: isCatalog,
            isAboutOneQuake: kind == .answer)
    }

    private var window: ClosedRange<Timestamp>? {
        switch kind {
        case .feed, .band: sourceTime - FeedName.Period.day.window...sourceTime
        case .hour: sourceTime - FeedName.Period.hour.window...sourceTime
        case .month: sourceTime - FeedName.Period.month.window...sourceTime
        case .table, .query, .window, .conditions, .update, .answer: nil
        }
    }

    /// The properties without a column in USGS's CSV, or in a table with fewer columns.
    var lacks: Set<QuakeProperty> {
        guard kind == .table else { return [] }
        let usual: Set<QuakeProperty> = [
            .net, .code, .ids, .sources, .types, .felt, .cdi, .mmi, .alert, .tsunami, .sig, .tz, .title, .url, .detail,
            .extra,
        ]
        guard isBare else { return usual }
        return usual.union(QuakeProperty.uncertainties).union([.place]).subtracting([.magError])
    }

    private var isCatalog: Bool {
        switch kind {
        case .feed, .hour, .month, .band, .table, .query: false
        case .window, .conditions, .update, .answer: true
        }
    }

    private var listingKind: DocumentListing.Kind {
        switch kind {
        case .feed, .hour, .month, .query: .complete
        case .band, .table, .conditions: .partial
        case .window, .answer: .catalog
        case .update: .changes
        }
    }

    private func wouldList(_ quake: Quake) -> Bool {
        switch kind {
        case .answer: quake.id.isSameID(as: asked)
        case .table: false
        case .window, .conditions, .update:
            SnapshotFacts.wouldList(quake.originTime, in: times.lowerBound..<times.upperBound)
        case .feed, .hour, .month, .band, .query: SnapshotFacts.wouldList(quake.originTime, in: window ?? times)
        }
    }
}
