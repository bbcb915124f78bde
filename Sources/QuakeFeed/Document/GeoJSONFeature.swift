import FoundationEssentials
import QuakeModel

/// A feature as the feed writes it, decoded by JSONDecoder.
///
/// Written by hand because the synthesized form is a fifth slower, and because integers stand where floats are meant and the
/// other way round.
struct GeoJSONFeature: Decodable {
    let quake: Quake
    /// How many of the members of `properties` were understood.
    let knownProperties: Int

    private enum Member: String, CodingKey {
        case id, properties, geometry
    }

    private enum GeometryMember: String, CodingKey {
        case coordinates
    }

    init(from decoder: any Decoder) throws {
        guard let feature = try? decoder.container(keyedBy: Member.self) else { throw FeatureDefect.notAnObject }
        guard let id = try? feature.decode(String.self, forKey: .id) else { throw FeatureDefect.missing("id") }
        guard let container = try? feature.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties) else {
            throw FeatureDefect.missing("properties")
        }
        var reader = PropertyReader(container)
        let hypocenter = try GeoJSONFeature.hypocenter(feature)
        var quake = Quake(
            net: try reader.requiredText(.net), code: try reader.requiredText(.code),
            originTime: try reader.requiredMoment(.time), updated: try reader.requiredMoment(.updated),
            hypocenter: hypocenter)
        guard quake.net + quake.code == id else {
            throw FeatureDefect.idMismatch(id: id, net: quake.net, code: quake.code)
        }
        quake.magnitude = try reader.number(.mag)
        quake.magnitudeType = try reader.text(.magType)
        quake.place = try reader.text(.place)
        quake.timeZoneMinutes = try reader.integer(.tz)
        quake.feltReports = try reader.integer(.felt)
        quake.communityIntensity = try reader.number(.cdi)
        quake.instrumentalIntensity = try reader.number(.mmi)
        quake.alert = try reader.text(.alert)
        // Upper case in 2013 and 2014; the word is the same.
        quake.status = try reader.text(.status).map { $0.contains(where: \.isUppercase) ? $0.lowercased() : $0 }
        quake.tsunami = try reader.integer(.tsunami)
        quake.significance = try reader.integer(.sig)
        quake.ids = try reader.set(.ids) ?? quake.ids
        quake.sources = try reader.set(.sources) ?? quake.sources
        quake.productTypes = try reader.set(.types) ?? quake.productTypes
        quake.stationCount = try reader.integer(.nst)
        quake.nearestStationDegrees = try reader.number(.dmin)
        quake.residualSeconds = try reader.number(.rms)
        quake.azimuthalGap = try reader.number(.gap)
        quake.eventType = try reader.text(.type)
        quake.keepPublished(
            title: try reader.text(.title), url: try reader.text(.url), detail: try reader.text(.detail))
        self.quake = quake
        knownProperties = reader.found
    }

    private static func hypocenter(_ feature: KeyedDecodingContainer<Member>) throws -> Hypocenter {
        guard let geometry = try? feature.nestedContainer(keyedBy: GeometryMember.self, forKey: .geometry) else {
            throw FeatureDefect.missing("geometry")
        }
        guard var coordinates = try? geometry.nestedUnkeyedContainer(forKey: .coordinates) else {
            throw FeatureDefect.missing("coordinates")
        }
        func next(_ name: String) throws -> Double? {
            guard !coordinates.isAtEnd, try !coordinates.decodeNil() else { return nil }
            guard let number = try? coordinates.decode(Double.self) else {
                throw FeatureDefect.wrongKind(member: name, expected: "a number")
            }
            return number
        }
        guard let longitude = try next("longitude") else { throw FeatureDefect.missing("longitude") }
        guard let latitude = try next("latitude") else { throw FeatureDefect.missing("latitude") }
        guard (-180...180).contains(longitude) else {
            throw FeatureDefect.outOfRange(member: "longitude", value: "\(longitude)")
        }
        guard (-90...90).contains(latitude) else {
            throw FeatureDefect.outOfRange(member: "latitude", value: "\(latitude)")
        }
        return Hypocenter(longitude: longitude, latitude: latitude, depthKilometers: try next("depth"))
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
