import QuakeModel

/// One quake as a QuakeML event.
struct QuakeMLEvent {
    private let quake: Quake
    private let exists: Bool
    private var origins: [SolutionVersion]
    private let mechanisms: [SolutionVersion]
    private let preferredOrigin: SolutionVersion
    private let preferredMechanism: SolutionVersion?

    /// Creates an event with the current solutions from all sources. The origin that has the values in the feeds is
    /// preferred; if there is none, these values become an additional origin.
    ///
    /// - Parameter exists: false if the quake was deleted.
    init(_ quake: Quake, _ history: SolutionHistory?, exists: Bool) {
        self.quake = quake
        self.exists = exists
        let row = SolutionVersion(quake)
        origins = history?.current(.origins).filter(\.isPlaced) ?? []
        let preferred = [history?.preferred(.origins)].compactMap(\.self) + origins
        preferredOrigin = preferred.first { $0.isSolution(of: row) } ?? row
        if !origins.contains(preferredOrigin) { origins.append(preferredOrigin) }
        mechanisms = history?.current(.mechanisms) ?? []
        preferredMechanism = history?.preferred(.mechanisms)
    }

    var element: XMLElement? {
        let type = quake.eventType
        let hasMagnitude = preferredOrigin.number(.mag) != nil
        let description = [
            XMLElement("text", quake.place), XMLElement("type", quake.place.map { _ in "earthquake name" }),
        ]
        return XMLElement(
            "event", publicID: Quake.resource(ofID: quake.id),
            [
                XMLElement("preferredOriginID", preferredOrigin.resource),
                XMLElement("preferredMagnitudeID", hasMagnitude ? preferredOrigin.resource(of: "magnitude") : nil),
                XMLElement("preferredFocalMechanismID", preferredMechanism?.resource),
                XMLElement("type", exists ? type.map { QuakeMLEventType.word(forType: $0) } : "not existing"),
                XMLElement("description", description), .creationInfo(quake.net, quake.updated),
            ] + origins.flatMap { $0.originElements(minimumDistance: $0 == preferredOrigin ? quake[.dmin] : .null) }
                + mechanisms.flatMap { $0.mechanismElements(preferredOrigin.resource) })
    }
}

extension Quake {
    /// Returns the QuakeML resource name of a quake, as the event service writes it.
    fileprivate static func resource(ofID id: String) -> String {
        "quakeml:earthquake.usgs.gov/fdsnws/event/1/query?eventid=\(id.asResource)&format=quakeml"
    }
}

extension SolutionVersion {
    /// Creates an origin from a quake's values in the feeds. It is not a version of a published product, and `updated`
    /// is not its publication time, because even a felt report changes `updated`.
    fileprivate init(_ quake: Quake) {
        self.init(
            product: SolutionVersion.ofFeeds, source: quake.net, code: quake.id, published: quake.updated, weight: 0,
            values: SolutionKind.origins.fields.reduce(into: [:]) { values, field in
                guard let property = QuakeProperty(rawValue: field.rawValue) else { return }
                values[field] = quake[property] == .null ? nil : quake[property]
            })
    }

    fileprivate func isSolution(of row: SolutionVersion) -> Bool {
        [.time, .lat, .lon, .depth, .mag].allSatisfy { self[$0] == row[$0] }
            && text(.magType)?.lowercased() == row.text(.magType)?.lowercased()
    }

    private static let ofFeeds = ""
    private var isOfFeeds: Bool { product == Self.ofFeeds }

    /// Whether the version has a time and an epicenter, which QuakeML requires of an origin.
    fileprivate var isPlaced: Bool { [.time, .lat, .lon].allSatisfy { self[$0] != .null } }

    /// The QuakeML resource name of the version; for values from the feeds, it depends only on the id of the quake.
    fileprivate var resource: String { isOfFeeds ? resource(of: "origin") : document }

    /// Returns the resource name of a part of the version: the name of its document, a `#`, and `part`. A name can
    /// contain only one `#`.
    fileprivate func resource(of part: String) -> String { document + "#" + part }

    private var document: String {
        isOfFeeds
            ? Quake.resource(ofID: code)
            : "quakeml:earthquake.usgs.gov/product/\(product)/\(code.asResource)/\(source.asResource)/"
                + "\(published.milliseconds)/product.xml"
    }

    private func quantity(_ name: String, _ field: SolutionField, uncertainty: SolutionField? = nil) -> XMLElement? {
        XMLElement(name, value: value(field), uncertainty: uncertainty.flatMap(value))
    }

    private func numberElement(_ name: String, _ field: SolutionField) -> XMLElement? {
        XMLElement(name, number: value(field))
    }

    /// Returns the number in `field` in QuakeML units. Lengths are in meters, rounded to micrometers.
    private func value(_ field: SolutionField) -> Double? {
        let isLength = [.depth, .horizontalError, .depthError].contains(field)
        return number(field).map { isLength ? ($0 * 1e9).rounded() / 1e6 : $0 }
    }

    /// Returns the elements for review and creation. A reviewed solution counts as manual; a status other than
    /// `reviewed` or `automatic` is omitted, because QuakeML cannot express it.
    private func evaluation(_ agency: String) -> [XMLElement?] {
        let status = text(.status) ?? ""
        return [
            XMLElement("evaluationMode", ["reviewed": "manual", "automatic": "automatic"][status]),
            XMLElement("evaluationStatus", status == "reviewed" ? status : nil),
            .creationInfo(agency, isOfFeeds ? nil : published),
        ]
    }

    /// Returns the network responsible for a value. For values from the feeds, this is the network in `field`, or the
    /// preferred network if `field` is missing; for a fetched solution, the network of the product.
    private func agency(_ field: SolutionField) -> String { isOfFeeds ? text(field) ?? source : source }

    private func magnitude(origin: String) -> XMLElement? {
        guard number(.mag) != nil else { return nil }
        return XMLElement(
            "magnitude", publicID: resource(of: "magnitude"),
            [
                quantity("mag", .mag, uncertainty: .magError),
                XMLElement("type", text(.magType).map { String($0.unicodeScalars.prefix(32)) }),
                numberElement("stationCount", .magNst),
                XMLElement("originID", origin),
            ] + evaluation(agency(.magSource)))
    }

    private func origin(_ resource: String, _ more: [XMLElement?]) -> XMLElement? {
        XMLElement(
            "origin", publicID: resource,
            [
                XMLElement("time", [XMLElement("value", time?.iso8601)]), quantity("latitude", .lat),
                quantity("longitude", .lon), quantity("depth", .depth, uncertainty: .depthError),
            ] + more)
    }

    /// Returns an origin and its magnitude. `minimumDistance` is the distance to the nearest station in degrees, or
    /// null.
    fileprivate func originElements(minimumDistance: QuakeValue) -> [XMLElement?] {
        let error = numberElement("horizontalUncertainty", .horizontalError)
        let description = error.flatMap { _ in XMLElement("preferredDescription", "horizontal uncertainty") }
        let quality = [
            numberElement("usedPhaseCount", .nph), numberElement("usedStationCount", .nst),
            numberElement("standardError", .rms),
            numberElement("azimuthalGap", .gap), XMLElement("minimumDistance", number: minimumDistance.realValue),
        ]
        return [
            origin(
                resource,
                [XMLElement("originUncertainty", [error, description]), XMLElement("quality", quality)]
                    + evaluation(agency(.locationSource))),
            magnitude(origin: resource),
        ]
    }

    /// Returns a focal mechanism with its magnitude and the origin of its centroid.
    fileprivate func mechanismElements(_ preferredOrigin: String) -> [XMLElement?] {
        let centroid =
            isPlaced
            ? origin(resource(of: "origin"), [XMLElement("type", "centroid"), .creationInfo(source, published)]) : nil
        let derivedOrigin = centroid == nil ? preferredOrigin : resource(of: "origin")
        let planes = SolutionField.planes.enumerated().map { index, plane in
            XMLElement(whole: "nodalPlane\(index + 1)", zip(["strike", "dip", "rake"], plane).map { quantity($0, $1) })
        }
        let axes = zip(["tAxis", "nAxis", "pAxis"], SolutionField.axes).map { name, axis in
            XMLElement(whole: name, zip(["azimuth", "plunge", "length"], axis).map { quantity($0, $1) })
        }
        let components = SolutionField.tensor.map { quantity("M" + $0.rawValue.dropFirst(), $0) }
        let tensor = XMLElement(whole: "tensor", components).flatMap { tensor in
            XMLElement(
                "momentTensor", publicID: resource(of: "tensor"),
                [
                    XMLElement("derivedOriginID", derivedOrigin),
                    XMLElement("momentMagnitudeID", number(.mag).map { _ in resource(of: "magnitude") }),
                    quantity("scalarMoment", .moment), tensor, numberElement("doubleCouple", .doubleCouple),
                ])
        }
        let parts = [
            XMLElement("triggeringOriginID", preferredOrigin), XMLElement("nodalPlanes", planes),
            XMLElement(whole: "principalAxes", axes), tensor,
        ]
        return [
            centroid, magnitude(origin: derivedOrigin),
            XMLElement("focalMechanism", publicID: resource, parts + evaluation(source)),
        ]
    }
}

extension XMLElement {
    /// Creates an element with `children`; nil if any of them is missing.
    fileprivate init?(whole name: String, _ children: [XMLElement?]) {
        self.init(name, children.contains { $0 == nil } ? [] : children)
    }

    fileprivate static func creationInfo(_ agency: String, _ moment: Timestamp?) -> XMLElement? {
        XMLElement(
            "creationInfo",
            [
                XMLElement("agencyID", String(agency.unicodeScalars.prefix(64))),
                XMLElement("creationTime", moment?.iso8601),
            ])
    }
}

extension String {
    /// The text as part of a resource name: each byte that a name must not contain becomes `*` and its hexadecimal
    /// value.
    fileprivate var asResource: String {
        utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": result.unicodeScalars.append(scalar)
            default: result += "*" + String(byte, radix: 16)
            }
        }
    }
}
