import QuakeModel

extension Quake {
    /// Possible magnitudes: the largest ever measured is 9.5, the smallest published about -2.
    private static let magnitudes = -20.0...20.0

    /// More ids than any quake has: one for each network that located it, 4 at the most in kept snapshots.
    static let mostIDs = 100

    /// The longest id that is read. Published ones have up to 30 bytes.
    static let mostIDBytes = 100

    /// The quake that a feature describes. Its values are checked.
    ///
    /// - Throws: ``FeatureDefect``, or the decoder's error.
    init(id: String, hypocenter: Hypocenter, properties: inout some PropertyReader) throws {
        let magnitude = try properties.number(.mag)
        let place = try properties.plainText(.place)
        let time = try properties.moment(.time)
        let updated = try properties.moment(.updated)
        let timeZoneMinutes = try properties.integer(.tz)
        let url = try properties.plainText(.url)
        let detail = try properties.plainText(.detail)
        let feltReports = try properties.integer(.felt)
        let communityIntensity = try properties.number(.cdi)
        let instrumentalIntensity = try properties.number(.mmi)
        let alert = try properties.plainText(.alert)
        let status = try properties.plainText(.status)
        let tsunami = try properties.integer(.tsunami)
        let significance = try properties.integer(.sig)
        let net = try properties.requiredText(.net)
        let code = try properties.requiredText(.code)
        guard id.utf8.count <= Quake.mostIDBytes, net.utf8.count + code.utf8.count <= Quake.mostIDBytes else {
            throw FeatureDefect.outOfRange(member: "the length of the id", value: "\(net.utf8.count + code.utf8.count)")
        }
        guard Quake.isPlainID(net), Quake.isPlainID(code) else {
            throw FeatureDefect.wrongKind(member: "id", expected: "printable ASCII without commas")
        }
        guard net + code == id else { throw FeatureDefect.idMismatch(id: id, net: net, code: code) }
        if let magnitude, !Quake.magnitudes.contains(magnitude) {
            throw FeatureDefect.outOfRange(member: "mag", value: "\(magnitude)")
        }

        self.init(net: net, code: code, originTime: time, updated: updated, hypocenter: hypocenter)
        self.magnitude = magnitude
        self.place = place
        self.timeZoneMinutes = timeZoneMinutes
        self.feltReports = feltReports
        self.communityIntensity = communityIntensity
        self.instrumentalIntensity = instrumentalIntensity
        self.alert = alert
        self.status = status?.asLowercaseWord
        self.tsunami = tsunami
        self.significance = significance
        if let text = try properties.plainText(.ids) {
            let commas = text.utf8.count { $0 == UInt8(ascii: ",") }
            guard commas <= Quake.mostIDs + 1 else {
                throw FeatureDefect.outOfRange(member: "the number of ids", value: "\(commas - 1)")
            }
            ids = PublishedSet(text)
        }
        if let text = try properties.plainText(.sources) { sources = PublishedSet(text) }
        if let text = try properties.plainText(.types) { productTypes = PublishedSet(text) }
        stationCount = try properties.integer(.nst)
        nearestStationDegrees = try properties.number(.dmin)
        residualSeconds = try properties.number(.rms)
        azimuthalGap = try properties.number(.gap)
        magnitudeType = try properties.plainText(.magType)
        eventType = try properties.plainText(.type)
        keepPublished(title: try properties.plainText(.title), url: url, detail: detail)
    }

    /// Keeps title and addresses only if they differ from the derived ones.
    private mutating func keepPublished(title: String?, url: String?, detail: String?) {
        if let title, title != derivedTitle { publishedTitle = title }
        if let url, url != derivedURL { publishedURL = url }
        if let detail, detail != derivedDetail, detail != serviceDetail { publishedDetail = detail }
    }
}

extension Hypocenter {
    /// Reads longitude, latitude and, if there is one, the depth from `coordinates`.
    init(_ coordinates: inout any UnkeyedDecodingContainer) throws {
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
        let depth = try coordinates.decodeIfPresent(Double.self)
        if let depth, !Hypocenter.possibleDepths.contains(depth) {
            throw FeatureDefect.outOfRange(member: "depth", value: "\(depth)")
        }
        self.init(longitude: longitude, latitude: latitude, depthKilometers: depth)
    }
}

extension PropertyReader {
    /// A text that C programs can read: without a zero byte.
    fileprivate mutating func plainText(_ key: PropertyKey) throws -> String? {
        guard let text = try text(key) else { return nil }
        guard !text.hasZeroByte else {
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a text without a zero character")
        }
        return text
    }

    fileprivate mutating func requiredText(_ key: PropertyKey) throws -> String {
        guard let text = try plainText(key), !text.isEmpty else { throw FeatureDefect.missing(key.rawValue) }
        return text
    }

    fileprivate mutating func moment(_ key: PropertyKey) throws -> Timestamp {
        guard let milliseconds = try integer(key) else { throw FeatureDefect.missing(key.rawValue) }
        let moment = Timestamp(milliseconds: milliseconds)
        guard Timestamp.representable.contains(moment) else {
            throw FeatureDefect.outOfRange(member: key.rawValue, value: "\(milliseconds)")
        }
        return moment
    }
}

extension String {
    /// The review status in lower case; in 2013 and 2014 it was published in upper case.
    fileprivate var asLowercaseWord: String {
        utf8.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? lowercased() : self
    }
}
