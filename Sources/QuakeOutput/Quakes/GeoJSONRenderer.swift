import QuakeModel

/// Writes quakes as a GeoJSON FeatureCollection (RFC 7946), with features like those of the feed.
///
/// As in the feed, times are epoch milliseconds, and the members of `extra` are among the other properties. `bbox`
/// comes last, when all quakes are known. `--fields` selects properties only: id and geometry are always present.
final class GeoJSONRenderer: QuakeRenderer {
    /// The fields of a feature outside its properties. ``row(_:)`` reads them by their index.
    private static let frame: [QuakeField] = [
        .property(.id), .property(.lon), .property(.lat), .property(.depth), .property(.extra),
    ]

    /// The properties of a feature in the order of the feed, without `extra`.
    static let properties: [QuakeProperty] = [
        .mag, .place, .time, .updated, .tz, .url, .detail, .felt, .cdi, .mmi, .alert, .status, .tsunami, .sig, .net,
        .code, .ids, .sources, .types, .nst, .dmin, .rms, .gap, .magType, .type, .title,
    ]

    /// The members of `properties`: those of the feed, then those that this program computes.
    private static let members = properties.map(QuakeField.property) + QuakeField.relative

    /// The fields to fetch for the requested ones.
    static func fields(for requested: [QuakeField]) -> [QuakeField] {
        (requested.contains(.property(.extra)) ? frame : frame.dropLast()) + members.filter(requested.contains)
    }

    let writer: ByteWriter
    private let members: JSONMembers
    private let hasProperties: Bool
    private let includesExtra: Bool
    private var bounds = HypocenterBounds()
    private var isEmpty = true

    /// A renderer for fields that come from ``fields(for:)``.
    init(_ fields: [QuakeField], writer: ByteWriter) {
        self.writer = writer
        includesExtra = fields.contains(.property(.extra))
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

/// The bounding box of hypocenters as in the feed: minimum longitude, latitude and depth, then the maximum of each.
///
/// As in the feed, the 180th meridian is not considered. Depth is omitted if no quake has one.
struct HypocenterBounds {
    private var longitude: ClosedRange<Double>?
    private var latitude: ClosedRange<Double>?
    private var depth: ClosedRange<Double>?

    /// Extends the box to include a hypocenter.
    mutating func include(longitude: Double, latitude: Double, depth: Double?) {
        self.longitude = widened(self.longitude, longitude)
        self.latitude = widened(self.latitude, latitude)
        if let depth { self.depth = widened(self.depth, depth) }
    }

    /// Appends `,"bbox":[…]`, or nothing without hypocenters.
    func append(to writer: ByteWriter) {
        guard let longitude, let latitude else { return }
        let ranges = [longitude, latitude] + (depth.map { [$0] } ?? [])
        writer.append(literal: ",\"bbox\":[")
        for (index, bound) in (ranges.map(\.lowerBound) + ranges.map(\.upperBound)).enumerated() {
            if index > 0 { writer.append(byte: UInt8(ascii: ",")) }
            writer.append(real: bound)
        }
        writer.append(byte: UInt8(ascii: "]"))
    }

    private func widened(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double> {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }
}
