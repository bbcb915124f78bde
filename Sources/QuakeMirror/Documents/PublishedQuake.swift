extension Quake {
    /// The possible magnitudes. The largest ever measured is 9.5, and the smallest published is about -2.
    fileprivate static let magnitudes = -20.0...20.0

    /// The maximum number of ids. A quake has an id for each network that located it, up to 4 in stored snapshots.
    static let maximumIDs = 100

    /// The maximum length of an id in bytes. Published ids have up to 30.
    static let maximumIDBytes = 100

    /// Creates the quake described by a feature or row, and checks its values.
    ///
    /// - Throws: ``FeatureDefect``, or the decoder's error.
    init(id: String, hypocenter: Hypocenter, properties: inout some PropertyReader) throws {
        self = Quake.blank
        self.hypocenter = hypocenter
        for property in properties.members {
            let value = try properties.value(of: property)
            if value != .null { self[stored: property] = value }
            if property == .code {
                try requireIdentity(id)
                // The feed's own lists replace these defaults. Neither the id nor the network contains a comma.
                ids = PublishedSet(canonical: "," + id + ",")
                sources = PublishedSet(canonical: "," + net + ",")
            }
        }
        // In 2013 and 2014, the status was published in uppercase.
        status = status?.lowercased()
        forgetDerivedTexts()
    }

    private func requireIdentity(_ id: String) throws(FeatureDefect) {
        guard id.utf8.count <= Quake.maximumIDBytes, net.utf8.count + code.utf8.count <= Quake.maximumIDBytes else {
            throw FeatureDefect.outOfRange(member: "the length of the id", value: "\(net.utf8.count + code.utf8.count)")
        }
        guard Quake.isPlainID(net), Quake.isPlainID(code) else {
            throw FeatureDefect.wrongKind(member: "id", expected: "printable ASCII without commas")
        }
        guard id.hasPrefix(net) else {
            throw FeatureDefect("the id \(id) does not begin with its network \(net)")
        }
        guard net + code == id else {
            throw FeatureDefect("the id \(id) is not its network \(net) followed by its code \(code)")
        }
    }

    /// Drops the title and the URLs if they can be derived from other values.
    private mutating func forgetDerivedTexts() {
        if publishedTitle == derivedTitle { publishedTitle = nil }
        if publishedURL == derivedURL { publishedURL = nil }
        if publishedDetail == derivedDetail || publishedDetail == serviceDetail { publishedDetail = nil }
    }
}

extension Hypocenter {
    /// Reads the longitude, latitude and, if present, the depth from `coordinates`.
    init(_ coordinates: inout any UnkeyedDecodingContainer) throws {
        let longitude = try coordinates.decodeIfPresent(Double.self)
        let latitude = try coordinates.decodeIfPresent(Double.self)
        let depth = try coordinates.decodeIfPresent(Double.self)
        try self.init(checkingLongitude: longitude, latitude: latitude, depth: depth)
    }

    /// Creates a hypocenter from published values, in degrees and kilometers, and checks them.
    init(
        checkingLongitude longitude: Double?, latitude: Double?, depth: Double?
    ) throws(FeatureDefect) {
        guard let longitude else { throw FeatureDefect.missing("longitude") }
        guard let latitude else { throw FeatureDefect.missing("latitude") }
        guard (-180...180).contains(longitude) else {
            throw FeatureDefect.outOfRange(member: "longitude", value: "\(longitude)")
        }
        guard (-90...90).contains(latitude) else {
            throw FeatureDefect.outOfRange(member: "latitude", value: "\(latitude)")
        }
        if let depth, !Hypocenter.possibleDepths.contains(depth) {
            throw FeatureDefect.outOfRange(member: "depth", value: "\(depth)")
        }
        self.init(longitude: longitude, latitude: latitude, depthKilometers: depth)
    }
}

extension PropertyReader {
    /// Returns the checked value of `property`; null if an optional property is missing.
    fileprivate mutating func value(of property: QuakeProperty) throws -> QuakeValue {
        let value: QuakeValue =
            switch property.kind {
            case .real: QuakeValue(try number(property))
            case .integer, .time: QuakeValue(try integer(property))
            case .text: QuakeValue(try text(property))
            }
        switch (property, value) {
        case (.net, .text("")), (.code, .text("")): throw FeatureDefect.missing(property.rawValue)
        case (.net, .null), (.code, .null), (.time, .null), (.updated, .null):
            throw FeatureDefect.missing(property.rawValue)
        case (.mag, .real(let magnitude)) where !Quake.magnitudes.contains(magnitude):
            throw FeatureDefect.outOfRange(member: property.rawValue, value: "\(magnitude)")
        case (_, .integer(let milliseconds)) where property.kind == .time:
            guard Timestamp.representable.contains(Timestamp(milliseconds: milliseconds)) else {
                throw FeatureDefect.outOfRange(member: property.rawValue, value: "\(milliseconds)")
            }
        case (_, .text(let text)):
            // C programs would ignore everything after a zero byte.
            guard !text.hasZeroByte else {
                throw FeatureDefect("\(property.rawValue) contains a NUL character")
            }
            let commas = property == .ids ? text.utf8.count { $0 == UInt8(ascii: ",") } : 0
            guard commas <= Quake.maximumIDs + 1 else {
                throw FeatureDefect.outOfRange(member: "the number of ids", value: "\(commas - 1)")
            }
        default: break
        }
        return value
    }
}
