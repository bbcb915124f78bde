import FoundationEssentials
import QuakeModel

/// A feature as the feed writes it, decoded by JSONDecoder.
///
/// Written by hand: the synthesized form is a fifth slower, and this one says of a wrong member which it is.
struct GeoJSONFeature: Decodable {
    let quake: Quake

    /// What a magnitude can be at all: the largest quake ever measured had 9.5, the smallest published some -2.
    private static let magnitudes = -20.0...20.0

    private enum Member: String, CodingKey {
        case id, properties, geometry
    }

    private enum GeometryMember: String, CodingKey {
        case coordinates
    }

    init(from decoder: any Decoder) throws {
        let feature = try decoder.container(keyedBy: Member.self)
        guard let id = try feature.decodeIfPresent(String.self, forKey: .id) else { throw FeatureDefect.missing("id") }
        let reader = PropertyReader(try feature.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties))
        var quake = Quake(
            net: try reader.requiredText(.net), code: try reader.requiredText(.code),
            originTime: try reader.requiredMoment(.time), updated: try reader.requiredMoment(.updated),
            hypocenter: try GeoJSONFeature.hypocenter(feature))
        guard Quake.isPlainID(quake.net), Quake.isPlainID(quake.code) else {
            throw FeatureDefect.wrongKind(member: "id", expected: "printable ASCII without commas")
        }
        guard quake.id == id else { throw FeatureDefect.idMismatch(id: id, net: quake.net, code: quake.code) }
        quake.magnitude = try reader.number(.mag)
        if let magnitude = quake.magnitude, !GeoJSONFeature.magnitudes.contains(magnitude) {
            throw FeatureDefect.outOfRange(member: "mag", value: "\(magnitude)")
        }
        quake.magnitudeType = try reader.text(.magType)
        quake.place = try reader.text(.place)
        quake.timeZoneMinutes = try reader.integer(.tz)
        quake.feltReports = try reader.integer(.felt)
        quake.communityIntensity = try reader.number(.cdi)
        quake.instrumentalIntensity = try reader.number(.mmi)
        quake.alert = try reader.text(.alert)
        quake.status = try reader.text(.status)?.asLowercaseWord
        quake.tsunami = try reader.integer(.tsunami)
        quake.significance = try reader.integer(.sig)
        if let ids = try reader.text(.ids) { quake.ids = PublishedSet(ids) }
        if let sources = try reader.text(.sources) { quake.sources = PublishedSet(sources) }
        if let types = try reader.text(.types) { quake.productTypes = PublishedSet(types) }
        quake.stationCount = try reader.integer(.nst)
        quake.nearestStationDegrees = try reader.number(.dmin)
        quake.residualSeconds = try reader.number(.rms)
        quake.azimuthalGap = try reader.number(.gap)
        quake.eventType = try reader.text(.type)
        quake.keepPublished(
            title: try reader.text(.title), url: try reader.text(.url), detail: try reader.text(.detail))
        self.quake = quake
    }

    private static func hypocenter(_ feature: KeyedDecodingContainer<Member>) throws -> Hypocenter {
        let geometry = try feature.nestedContainer(keyedBy: GeometryMember.self, forKey: .geometry)
        var coordinates = try geometry.nestedUnkeyedContainer(forKey: .coordinates)
        guard let longitude = try coordinates.decodeIfPresent(Double.self) else {
            throw FeatureDefect.missing("longitude")
        }
        guard let latitude = try coordinates.decodeIfPresent(Double.self) else {
            throw FeatureDefect.missing("latitude")
        }
        guard (-180...180).contains(longitude) else {
            throw FeatureDefect.outOfRange(member: "longitude", value: "\(longitude)")
        }
        guard (-90...90).contains(latitude) else {
            throw FeatureDefect.outOfRange(member: "latitude", value: "\(latitude)")
        }
        return Hypocenter(
            longitude: longitude, latitude: latitude, depthKilometers: try coordinates.decodeIfPresent(Double.self))
    }
}

extension Quake {
    /// Keeps title and addresses only where they differ from what the rules give.
    fileprivate mutating func keepPublished(title: String?, url: String?, detail: String?) {
        if let title, title != derivedTitle { publishedTitle = title }
        if let url, url != derivedURL { publishedURL = url }
        if let detail, detail != derivedDetail { publishedDetail = detail }
    }
}

extension String {
    /// The review status in lower case; in 2013 and 2014 the same words were written in upper case.
    fileprivate var asLowercaseWord: String {
        utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? lowercased() : self
    }
}
