/// An earthquake as published by the feed, with every property.
///
/// Properties have the names used in seismology; ``QuakeProperty`` has the feed's own names. The title and the URLs are
/// derived from other properties, unless the feed published something else.
public struct Quake: Hashable, Sendable, Identifiable {
    /// The network that contributes the preferred solution, such as `us`, `usauto` or `iscgem`.
    public var net: String
    /// The code of the quake within its network, unique only together with ``net``.
    public var code: String
    /// The magnitude, which may be negative; nil if unknown. Its type is ``magnitudeType``.
    public var magnitude: Double?
    /// The method used to determine the magnitude (`ml`, `mww`, …), capitalized as published.
    public var magnitudeType: String?
    /// The name of the region, or a location such as `8 km SW of Volcano, Hawaii`.
    public var place: String?
    public var originTime: Timestamp
    /// The time at which USGS last changed the record. It sometimes moves backward, so it does not determine the order
    /// of versions.
    public var updated: Timestamp
    /// The offset of local time from UTC in minutes. USGS has not published it since 2020.
    public var timeZoneMinutes: Int?
    /// The number of reports to "Did You Feel It?" (DYFI).
    public var feltReports: Int?
    /// The highest intensity computed from felt reports (DYFI), on a decimal scale from 0 to 10.
    public var communityIntensity: Double?
    /// The highest instrumental intensity estimated by ShakeMap, on the Modified Mercalli scale from 0 to 12.
    public var instrumentalIntensity: Double?
    /// The PAGER alert level: `green`, `yellow`, `orange` or `red`, or another value such as `pending`.
    public var alert: String?
    /// The review status in lowercase: `automatic`, `reviewed` or another value.
    public var status: String?
    /// The tsunami flag as published: 1, 0, or in theory another number.
    package var tsunamiFlag: Int?
    /// The significance of the event as rated by USGS, from 0 to about 1000 or more.
    public var significance: Int?
    /// The published ids of this quake, normally including the preferred id.
    public var ids: PublishedSet
    /// The networks that contributed the ``ids``.
    public var sources: PublishedSet
    /// The types of products that USGS has for the quake, such as `dyfi` and `shakemap`.
    public var productTypes: PublishedSet
    /// The number of stations used to determine the location.
    public var stationCount: Int?
    /// The distance to the nearest station in degrees of arc (1° is about 111.2 km).
    public var nearestStationDegrees: Double?
    /// The root-mean-square travel-time residual in seconds.
    public var residualSeconds: Double?
    /// The largest azimuthal gap between adjacent stations, in degrees.
    public var azimuthalGapDegrees: Double?
    /// The uncertainty of the epicenter in kilometers. The GeoJSON feeds do not contain the uncertainties or the
    /// sources of location and magnitude. These properties are nil until a CSV document or the details of the quake
    /// have been read.
    public var horizontalErrorKilometers: Double?
    /// The uncertainty of the depth in kilometers.
    public var depthErrorKilometers: Double?
    /// The uncertainty of the magnitude.
    public var magnitudeError: Double?
    /// The number of stations used to determine the magnitude.
    public var magnitudeStationCount: Int?
    /// The network that determined the location.
    public var locationSource: String?
    /// The network that determined the magnitude.
    public var magnitudeSource: String?
    /// The type of seismic event, such as `earthquake`, `quarry blast` or `explosion`. New types may appear.
    public var eventType: String?
    public var hypocenter: Hypocenter
    /// The published title if it differs from ``derivedTitle``; otherwise nil.
    package var publishedTitle: String?
    /// The published URL of the event page if it differs from ``derivedURL``; otherwise nil.
    package var publishedURL: String?
    /// The published URL of the detail feed if it differs from ``derivedDetail`` and ``serviceDetail``; otherwise nil.
    package var publishedDetail: String?
    /// Published properties unknown to this library, as one JSON object with sorted keys; nil if there are none.
    public var extra: String?

    /// Creates a quake whose ids and sources are derived from `net` and `code`. Other properties are nil or empty.
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

    /// The initial value for decoding a quake. It has no id, and its values are 0, empty or nil.
    package static let blank = Quake(
        net: "", code: "", originTime: Timestamp(milliseconds: 0), updated: Timestamp(milliseconds: 0),
        hypocenter: Hypocenter(longitude: 0, latitude: 0, depthKilometers: nil))

    /// Whether USGS refers to NOAA for tsunami information, which does not mean that there was a tsunami.
    public var tsunami: Bool? {
        get { tsunamiFlag.map { $0 != 0 } }
        set { tsunamiFlag = newValue.map { $0 ? 1 : 0 } }
    }

    /// The preferred id, which is the network followed by the code. Network `nc` with code `1234` and network `nc1`
    /// with code `234` have the same id and denote the same quake.
    public var id: String { net + code }

    /// Every published id of this quake, and the preferred id even if the feed omitted it. Published ids with
    /// characters other than printable ASCII are excluded.
    public var aliases: [String] {
        let members = ids.members.filter(Quake.isPlainID)
        return members.contains(id) ? members : members + [id]
    }

    /// Whether `alias` is one of the quake's ids, ignoring case.
    package func hasID(_ alias: String) -> Bool { aliases.contains { $0.isSameID(as: alias) } }

    /// Whether `text` can be an id, a network or the code of a quake: printable ASCII without spaces or commas, as in
    /// all 208,982 events checked. SQLite and Swift may compare other text differently.
    package static func isPlainID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    }
}

extension String {
    /// Whether two ids are equal, ignoring case (rule 2).
    package func isSameID(as other: String) -> Bool { self == other || lowercased() == other.lowercased() }
}

extension Quake {
    /// The title that the feed builds from magnitude and place: `M 4.5 - 8 km E of Fox`, `M ? - …`.
    ///
    /// Like the feed, it rounds the magnitude half up to one decimal (4.35 → 4.4). For events other than earthquakes,
    /// the feed adds the type; such titles are stored as published.
    package var derivedTitle: String { "M \(Self.titleMagnitude(magnitude)) - \(place ?? "")" }

    /// The place, preceded by the event type unless it is an earthquake: `Quarry Blast - 5 km SE of Owasso, Oklahoma`.
    package var describedPlace: String? {
        Self.kind(ofType: eventType).map { Self.place(namedPlace, ofKind: $0) } ?? namedPlace
    }

    /// The place; nil if it is empty.
    package var namedPlace: String? { place.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the place preceded by `kind`, or `kind` alone if there is no place.
    package static func place(_ place: String?, ofKind kind: String) -> String {
        place.map { "\(kind) - \($0)" } ?? kind
    }

    /// Returns the event type in the form used in the feed's titles, such as `Quarry Blast`; nil for an earthquake or
    /// an unknown type.
    package static func kind(ofType type: String?) -> String? {
        guard let type, !type.isEmpty, type != "earthquake" else { return nil }
        return type.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The URL of the event page.
    package var derivedURL: String { Self.eventPages + id }
    /// The URL of the detail feed.
    package var derivedDetail: String { Self.detailFeeds + id + Self.detailSuffix }

    /// The URL at which the event service offers the same document as ``derivedDetail``.
    package var serviceDetail: String {
        "https://earthquake.usgs.gov/fdsnws/event/1/query?eventid=\(id)&format=geojson"
    }

    /// The part of an event page URL before the id.
    package static let eventPages = "https://earthquake.usgs.gov/earthquakes/eventpage/"
    /// The part of a detail feed URL before the id.
    package static let detailFeeds = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/"
    /// The part of a detail feed URL after the id.
    package static let detailSuffix = ".geojson"

    /// The title as published.
    public var title: String { publishedTitle ?? derivedTitle }
    /// The URL of the event page as published.
    public var pageURL: String { publishedURL ?? derivedURL }
    /// The URL of the detail feed as published.
    public var detailURL: String { publishedDetail ?? derivedDetail }

    /// Formats a magnitude as in titles: with one decimal, or `?` for nil.
    package static func titleMagnitude(_ magnitude: Double?) -> String {
        guard let magnitude else { return "?" }
        // The binary number for 4.35 is slightly less than 4.35, so add a little before rounding half up.
        let tenths = (abs(magnitude) * 10 + 1e-9).rounded(.toNearestOrAwayFromZero)
        let sign = magnitude < 0 && tenths > 0 ? "-" : ""
        // No quake has so large a magnitude, but external input may contain one.
        guard let whole = Int64(exactly: tenths) else { return "\(magnitude)" }
        return "\(sign)\(whole / 10).\(whole % 10)"
    }

    /// Returns the magnitudes that ``titleMagnitude(_:)`` formats like `tenths`, a magnitude with one decimal.
    package static func magnitudes(shownAs tenths: Double) -> ClosedRange<Double> {
        // A magnitude exactly between two tenths is rounded away from zero.
        let margin = 1e-10
        return tenths - 0.05 + (tenths > 0 ? -margin : margin)...tenths + 0.05 + (tenths < 0 ? margin : -margin)
    }
}
