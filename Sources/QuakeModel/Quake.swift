/// One earthquake as the feed publishes it, every property kept.
///
/// Property names are the field's terms; ``QuakeProperty`` holds the feed's own names and maps one to the other.
/// Title, page and detail address are derived from the rest; a separate property keeps the published value.
public struct Quake: Hashable, Sendable, Identifiable {
    /// The network that contributes the preferred solution. Not always two letters: `usauto`, `iscgem`.
    public var net: String
    /// The code of the quake within its network. Unique only together with ``net`` (rule 1).
    public var code: String
    /// Magnitude, of the kind ``magnitudeType`` names. May be negative, may be missing.
    public var magnitude: Double?
    /// The method behind the magnitude (`ml`, `mww`, …), case as published.
    public var magnitudeType: String?
    /// The named region or nearest place.
    public var place: String?
    public var originTime: Timestamp
    /// When USGS last changed its record. Not a version number: it can go backwards (rule 11).
    public var updated: Timestamp
    /// Offset of local time from UTC in minutes, published until 2020.
    public var timeZoneMinutes: Int64?
    /// Reports to "Did You Feel It?".
    public var feltReports: Int64?
    /// Highest intensity reported by people, on the community decimal scale, 0 to 10.
    public var communityIntensity: Double?
    /// Highest instrumental intensity estimated by ShakeMap, modified Mercalli, 0 to 12.
    public var instrumentalIntensity: Double?
    /// PAGER alert level: `green`, `yellow`, `orange`, `red`, and others such as `pending`.
    public var alert: String?
    /// Review status, lower case: `automatic`, `reviewed`, and others.
    public var status: String?
    /// 1 where USGS refers to NOAA. It does not mean that there was a tsunami.
    public var tsunami: Int64?
    /// How significant the event is, 0 to about 1000 and above.
    public var significance: Int64?
    /// Every id of this quake, the preferred one among them.
    public var ids: PublishedSet
    /// Contributing networks.
    public var sources: PublishedSet
    /// The kinds of product USGS holds for the quake.
    public var productTypes: PublishedSet
    /// Stations used to determine the place.
    public var stationCount: Int64?
    /// Distance to the nearest station, in degrees of arc (1° is about 111.2 km).
    public var nearestStationDegrees: Double?
    /// Root-mean-square travel time residual in seconds.
    public var residualSeconds: Double?
    /// Largest azimuthal gap between adjacent stations, in degrees.
    public var azimuthalGap: Double?
    /// The type of seismic event: `earthquake`, `quarry blast`, `explosion`, … An open set.
    public var eventType: String?
    public var hypocenter: Hypocenter
    /// The title as published, where it differs from ``derivedTitle``.
    public var publishedTitle: String?
    /// The address of the event page as published, where it differs from ``derivedURL``.
    public var publishedURL: String?
    /// The address of the detail feed as published, where it differs from ``derivedDetail`` and is not the event
    /// service's address of the same.
    public var publishedDetail: String?
    /// Properties this program does not know, as one JSON object with sorted keys.
    public var extra: String?

    /// A quake with its identity, time and place; everything else starts empty.
    public init(net: String, code: String, originTime: Timestamp, updated: Timestamp, hypocenter: Hypocenter) {
        (self.net, self.code, self.originTime) = (net, code, originTime)
        (self.updated, self.hypocenter) = (updated, hypocenter)
        ids = PublishedSet(net + code)
        sources = PublishedSet(net)
        productTypes = PublishedSet("")
    }

    /// What a reader of quakes starts with: no id, and everything 0 or empty.
    package static let blank = Quake(
        net: "", code: "", originTime: Timestamp(milliseconds: 0), updated: Timestamp(milliseconds: 0),
        hypocenter: Hypocenter(longitude: 0, latitude: 0, depthKilometers: nil))

    /// The preferred id: network and code written together (rule 1). `nc` and `1234` are the same quake as `nc1` and
    /// `234`.
    public var id: String { net + code }

    /// Every id this quake is published under, including the preferred one where the feed left it out.
    ///
    /// Other texts than printable ASCII are left out.
    public var aliases: [String] {
        let members = ids.members.filter(Quake.isPlainID)
        return members.contains(id) ? members : members + [id]
    }

    /// Whether `alias` is one of its ids, compared ignoring case.
    package func has(_ alias: String) -> Bool { aliases.contains { $0.isSameID(as: alias) } }

    /// Whether `text` can be an id, or the network or code of one: printable ASCII without spaces and commas. 208,982
    /// events had no other. A database and a program compare other text in different ways.
    public static func isPlainID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    }
}

extension String {
    /// Whether two ids are the same: they are compared ignoring case (rule 2).
    package func isSameID(as other: String) -> Bool { self == other || lowercased() == other.lowercased() }
}

extension Quake {
    /// The title the feed builds from magnitude and place: `M 4.5 - 8 km E of Fox`, `M ? - …`.
    ///
    /// The magnitude is rounded half up to one decimal, as the feed does (4.35 → 4.4). For events other than
    /// earthquakes the feed also names the type; such titles are kept as published.
    public var derivedTitle: String { "M \(Self.titleMagnitude(magnitude)) - \(place ?? "")" }

    /// The place, with the type of an event that is not an earthquake: `Quarry Blast - 5 km SE of Owasso, Oklahoma`.
    package var describedPlace: String? {
        Self.kind(ofType: eventType).map { Self.place(place, ofKind: $0) } ?? place
    }

    /// The place of an event of such a kind.
    package static func place(_ place: String?, ofKind kind: String) -> String {
        place.map { "\(kind) - \($0)" } ?? kind
    }

    /// What an event of `type` is, if it is not an earthquake, in the form of the feed's titles: `Quarry Blast`. Nil
    /// for an earthquake and for an unknown type.
    package static func kind(ofType type: String?) -> String? {
        guard let type, !type.isEmpty, type != "earthquake" else { return nil }
        return type.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The address of the event page.
    public var derivedURL: String { Self.eventPages + id }
    /// The address of the detail feed.
    public var derivedDetail: String { Self.detailFeeds + id + Self.detailSuffix }

    /// The address that the event service gives for the same.
    package var serviceDetail: String { "\(Self.eventService)?eventid=\(id)&format=geojson" }

    /// The address of the event service.
    public static let eventService = "https://earthquake.usgs.gov/fdsnws/event/1/query"
    /// The address of an event page before the id.
    public static let eventPages = "https://earthquake.usgs.gov/earthquakes/eventpage/"
    /// The address of a detail feed before the id.
    public static let detailFeeds = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/"
    /// The address of a detail feed after the id.
    public static let detailSuffix = ".geojson"

    /// The published title, or the derived one.
    public var title: String { publishedTitle ?? derivedTitle }
    /// The address of the event page as published.
    public var url: String { publishedURL ?? derivedURL }
    /// The address of the detail feed as published.
    public var detail: String { publishedDetail ?? derivedDetail }

    /// The magnitude as in titles: one decimal, `?` where there is none.
    public static func titleMagnitude(_ magnitude: Double?) -> String {
        guard let magnitude else { return "?" }
        // Half up on the decimal digits: 4.35 is a little less than 4.35 in binary, so shift before rounding.
        let tenths = (abs(magnitude) * 10 + 1e-9).rounded(.toNearestOrAwayFromZero)
        let sign = magnitude < 0 && tenths > 0 ? "-" : ""
        // No quake is near this magnitude, but a number from outside may be.
        guard let whole = Int64(exactly: tenths) else { return "\(magnitude)" }
        return "\(sign)\(whole / 10).\(whole % 10)"
    }
}

/// A quake in a cache: its values and its local key, which stays the same when the published id changes.
public struct StoredQuake: Hashable, Sendable, Identifiable, Codable {
    /// Permanent within one cache; survives renames, deletion and return.
    public let key: QuakeKey
    /// What the feed published.
    public var quake: Quake

    /// A quake under its local key.
    public init(key: QuakeKey, quake: Quake) { (self.key, self.quake) = (key, quake) }

    public var id: QuakeKey { key }

    /// The first of the keys that quakes have which are not saved yet.
    package static let firstTemporaryKey = QuakeKey(1 << 62)

    /// Whether the quake is not in the cache yet: its key is valid in the context that gave it, until that saves or
    /// drops what is pending.
    public var isTemporary: Bool { key >= StoredQuake.firstTemporaryKey }
}
