/// One earthquake as the feed publishes it, every property kept.
///
/// Property names are the field's terms; ``QuakeProperty`` holds the feed's own names and maps one to the other.
/// Title, page and detail address follow from the rest (see `Quake+Derived.swift`); they are held here only where the
/// feed published something else than the rule gives.
public struct Quake: Hashable, Sendable {
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
    /// When the quake happened.
    public var originTime: Timestamp
    /// When USGS last changed its record. Not a version number: it also goes backwards (rule 11).
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
    /// 1 where USGS says "see NOAA"; not a statement that there was a tsunami.
    public var tsunami: Int64?
    /// How significant the event is, 0 to about 1000 and above.
    public var significance: Int64?
    /// Every id of this quake, the preferred one among them.
    public var ids: PublishedSet
    /// The networks that contributed.
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
    /// Where it began.
    public var hypocenter: Hypocenter
    /// The title as published, where ``derivedTitle`` says something else.
    public var publishedTitle: String?
    /// The address of the event page as published, where ``derivedURL`` says something else.
    public var publishedURL: String?
    /// The address of the detail feed as published, where ``derivedDetail`` says something else.
    public var publishedDetail: String?
    /// Properties this program does not know, as one JSON object with sorted keys.
    public var extra: String?

    /// A quake with its identity, time and place; everything else starts empty.
    public init(net: String, code: String, originTime: Timestamp, updated: Timestamp, hypocenter: Hypocenter) {
        self.net = net
        self.code = code
        self.originTime = originTime
        self.updated = updated
        self.hypocenter = hypocenter
        ids = PublishedSet(net + code)
        sources = PublishedSet(net)
        productTypes = PublishedSet("")
    }

    /// The preferred id: network and code written together (rule 1).
    public var id: String { net + code }

    /// Every id this quake is published under, the preferred one among them even where the feed forgot it.
    ///
    /// Ids are printable ASCII; what else stands among them is no id, and two texts that only look alike are two.
    public var aliases: [String] {
        let members = ids.members.filter(Quake.isPlainID)
        return members.contains(id) ? members : members + [id]
    }

    /// Whether `text` can be an id, or the network or code of one: printable ASCII without spaces and commas. (No exception
    /// in 208,982 events; a database compares other text in other ways than a program.)
    public static func isPlainID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    }
}

extension String {
    /// Whether two ids are the same: they are compared without regard to case (rule 2).
    package func isSameID(as other: String) -> Bool {
        self == other || lowercased() == other.lowercased()
    }
}
