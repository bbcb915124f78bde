import QuakeModel

/// Writes quakes as a GeoJSON FeatureCollection (RFC 7946), each feature built as the feed builds it.
///
/// Times are epoch milliseconds, for that is the feed's form; properties the program does not know stand among the
/// others again; `bbox` comes last. Fields asked for narrow the properties only: id and geometry are always there.
final class GeoJSONRenderer: QuakeRenderer {
    /// What every feature is made of, before its properties. ``row(_:)`` reads these by their index.
    private static let frame: [QuakeProperty] = [.id, .lon, .lat, .depth, .extra]

    /// The properties of a feature in the feed's order, `extra` apart.
    static let properties: [QuakeProperty] = [
        .mag, .place, .time, .updated, .tz, .url, .detail, .felt, .cdi, .mmi, .alert, .status, .tsunami, .sig, .net,
        .code, .ids, .sources, .types, .nst, .dmin, .rms, .gap, .magType, .type, .title,
    ]

    /// The fields to fetch for a wish, nil being everything.
    static func fields(for wish: [QuakeProperty]?) -> [QuakeProperty] {
        guard let wish else { return frame + properties }
        return (wish.contains(.extra) ? frame : frame.dropLast()) + properties.filter(wish.contains)
    }

    private let writer: ByteWriter
    private let members: JSONMembers
    private let hasProperties: Bool
    private let includesExtra: Bool
    private var bounds = HypocenterBounds()
    private var isEmpty = true

    /// A renderer for what ``fields(for:)`` gave.
    init(_ fields: [QuakeProperty], writer: ByteWriter) {
        self.writer = writer
        includesExtra = fields.contains(.extra)
        let frameCount = Self.frame.count - (includesExtra ? 0 : 1)
        hasProperties = fields.count > frameCount
        members = JSONMembers(fields[frameCount...], usesEpochTime: true, firstIndex: frameCount)
    }

    func begin() {
        writer.append(literal: "{\"type\":\"FeatureCollection\",\"features\":[")
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        writer.append(literal: isEmpty ? "\n" : ",\n")
        isEmpty = false
        writer.append(literal: "{\"type\":\"Feature\",\"properties\":{")
        members.write(to: writer, field)
        if includesExtra { appendMembers(of: field(4)) }
        writer.append(literal: "},\"geometry\":")
        appendPoint(longitude: field(1).number, latitude: field(2).number, depth: field(3).number)
        writer.append(literal: ",\"id\":")
        writer.append(json: field(0))
        writer.append(byte: UInt8(ascii: "}"))
        try writer.flushIfFull()
    }

    func end() throws(OutputError) {
        writer.append(literal: isEmpty ? "]" : "\n]")
        bounds.append(to: writer)
        writer.append(literal: "}\n")
        try writer.flush()
    }

    private func appendPoint(longitude: Double?, latitude: Double?, depth: Double?) {
        guard let longitude, let latitude else { return writer.append(literal: "null") }
        bounds.include(longitude: longitude, latitude: latitude, depth: depth)
        writer.append(literal: "{\"type\":\"Point\",\"coordinates\":[")
        writer.append(real: longitude)
        writer.append(byte: UInt8(ascii: ","))
        writer.append(real: latitude)
        if let depth {
            writer.append(byte: UInt8(ascii: ","))
            writer.append(real: depth)
        }
        writer.append(literal: "]}")
    }

    private func appendMembers(of extra: FieldValue) {
        guard case .text(let bytes) = extra, let members = JSONSyntax.members(ofObject: bytes) else { return }
        if hasProperties { writer.append(byte: UInt8(ascii: ",")) }
        writer.append(embeddedJSON: members)
    }
}

extension FieldValue {
    /// The finite number this is, if it is one.
    fileprivate var number: Double? {
        switch self {
        case .real(let value) where value.isFinite: value
        case .integer(let value): Double(value)
        case .real, .text, .null: nil
        }
    }
}
