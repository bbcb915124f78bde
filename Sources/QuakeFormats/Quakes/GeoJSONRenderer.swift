package import QuakeModel

/// Writes quakes as a GeoJSON FeatureCollection (RFC 7946), with features like those in the feeds.
///
/// As in the feeds, times are epoch milliseconds, and the members of `extra` are members of `properties`. `metadata`
/// and `bbox` come last, once all quakes are known. The requested fields select only members of `properties`: id and
/// geometry are always present.
package final class GeoJSONRenderer: QuakeRenderer {
    /// The fields that ``writeRow(_:)`` reads by index: the fields outside `properties`, and `extra`.
    private static let indexedFields: [QuakeField] = [
        .property(.id), .property(.lon), .property(.lat), .property(.depth), .property(.extra),
    ]

    /// The members of `properties`: the properties in the feeds, then the uncertainties and the computed fields.
    private static let members: [QuakeField] = {
        let computed: [QuakeField] = [.localTime, .region] + QuakeField.relative + QuakeField.city
        return (QuakeProperty.inFeatures.map(QuakeField.property) + computed).inColumnOrder
    }()

    private static func fields(for requested: [QuakeField]) -> [QuakeField] {
        (requested.contains(.property(.extra)) ? indexedFields : indexedFields.dropLast())
            + members.filter(requested.contains)
    }

    package let fields: [QuakeField]
    private let json: JSONWriter
    private let members: JSONMembers
    private let includesExtra: Bool
    private var bounds = HypocenterBounds()
    private let title: String?
    private let generated: Timestamp?
    private var count = 0

    init(_ requested: [QuakeField], into output: ByteBuffer, _ style: RecordStyle) {
        json = JSONWriter(into: output)
        fields = Self.fields(for: requested)
        title = style.title
        generated = style.generated
        includesExtra = fields.contains(.property(.extra))
        let frameCount = Self.indexedFields.count - (includesExtra ? 0 : 1)
        members = JSONMembers(
            fields[frameCount...], firstIndex: frameCount, isAsInFeed: true, style.localTime)
    }

    package func begin() { json.putOutsideRecords("{\"type\":\"FeatureCollection\",\"features\":[") }

    package func writeRow(_ field: (Int) -> FieldValue) {
        json.putOutsideRecords(count == 0 ? "\n" : ",\n")
        count += 1
        json.object {
            json.member("type", "Feature")
            json.object("properties") {
                members.write(to: json, field)
                if includesExtra { writeMembers(of: field(4)) }
            }
            json.key("geometry")
            writePoint(longitude: field(1).number, latitude: field(2).number, depth: field(3).number)
            json.key("id")
            json.value(field(0))
        }
    }

    package func end() {
        json.putOutsideRecords(count == 0 ? "],\"metadata\":" : "\n],\"metadata\":")
        json.value(["generated": generated?.milliseconds, "title": title ?? "Quakes", "count": count] as Record)
        if let box = bounds.numbers {
            json.putOutsideRecords(",\"bbox\":")
            json.value(box)
        }
        json.putOutsideRecords("}\n")
    }

    private func writePoint(longitude: Double?, latitude: Double?, depth: Double?) {
        guard let longitude, let latitude else { return json.value(nil) }
        bounds.include(longitude: longitude, latitude: latitude, depth: depth)
        json.value(["type": "Point", "coordinates": [longitude, latitude] + (depth.map { [$0] } ?? [])] as Record)
    }

    private func writeMembers(of extra: FieldValue) {
        guard case .text(let bytes) = extra, let open = bytes.firstIndex(of: UInt8(ascii: "{")),
            let close = bytes.lastIndex(of: UInt8(ascii: "}"))
        else { return }
        let members = bytes[open..<close].dropFirst()
        guard members.contains(where: { $0 > 0x20 }) else { return }
        json.put(JSONText.onOneLine(String(decoding: members, as: UTF8.self)))
    }
}

/// The bounding box of hypocenters: western longitude, minimum latitude, minimum depth, eastern longitude, maximum
/// latitude, maximum depth. The depths are omitted if no quake has a depth.
///
/// If a box across the 180th meridian is narrower, that box is used. Its western longitude is greater than its eastern
/// longitude (RFC 7946, 5.2).
struct HypocenterBounds {
    private var longitude: ClosedRange<Double>?
    /// The western edge of a box across the 180th meridian: the smallest longitude that is not negative.
    private var westAcross180: Double?
    /// The eastern edge of a box across the 180th meridian: the largest negative longitude.
    private var eastAcross180: Double?
    private var latitude: ClosedRange<Double>?
    private var depth: ClosedRange<Double>?

    mutating func include(longitude: Double, latitude: Double, depth: Double?) {
        self.longitude = widened(self.longitude, longitude)
        if longitude < 0 {
            eastAcross180 = max(eastAcross180 ?? longitude, longitude)
        } else {
            westAcross180 = min(westAcross180 ?? longitude, longitude)
        }
        self.latitude = widened(self.latitude, latitude)
        if let depth { self.depth = widened(self.depth, depth) }
    }

    /// The numbers of the box; nil without hypocenters.
    var numbers: [Double]? {
        guard let longitude, let latitude else { return nil }
        var first = longitude.lowerBound
        var last = longitude.upperBound
        if let westAcross180, let eastAcross180, eastAcross180 + 360 - westAcross180 < last - first {
            (first, last) = (westAcross180, eastAcross180)
        }
        let ranges = [latitude] + (depth.map { [$0] } ?? [])
        return [first] + ranges.map(\.lowerBound) + [last] + ranges.map(\.upperBound)
    }

    private func widened(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double> {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }
}
