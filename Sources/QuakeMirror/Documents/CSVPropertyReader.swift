/// Reads the values of a CSV row.
struct CSVPropertyReader: PropertyReader {
    let members = QuakeProperty.inFeatures

    private let header: CSVHeader
    private let bytes: UnsafeRawBufferPointer
    private let row: CSVRow

    /// - Throws: ``FeatureDefect`` if the quotation marks of the row at `range` do not match, or if it does not have
    ///   one field per column.
    init(_ header: CSVHeader, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(FeatureDefect) {
        self.header = header
        self.bytes = bytes
        row = CSVRow(UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), at: range.lowerBound)
        guard !row.fields.isEmpty else { throw FeatureDefect("its quotation marks do not match") }
        guard row.fields.count == header.count else {
            throw FeatureDefect("it has \(row.fields.count.counted("field")) instead of \(header.count)")
        }
    }

    mutating func quake() throws -> Quake {
        guard let id = try text(.id), !id.isEmpty else { throw FeatureDefect.missing("id") }
        let hypocenter = try Hypocenter(checkingLongitude: number(.lon), latitude: number(.lat), depth: number(.depth))
        return try Quake(id: id, hypocenter: hypocenter, properties: &self)
    }

    func text(_ key: QuakeProperty) throws -> String? {
        if key == .code, let id = try text(.id), let net = try text(.net) {
            return id.hasPrefix(net) ? String(id.dropFirst(net.count)) : id
        }
        guard let (_, field, isQuoted) = field(key), isQuoted || !field.isEmpty else { return nil }
        guard isQuoted, field.contains(ASCIIByte.quote) else { return String(decoding: field, as: UTF8.self) }
        var isFirstOfTwo = false
        let text = field.filter { byte in
            isFirstOfTwo = byte == ASCIIByte.quote && !isFirstOfTwo
            return !isFirstOfTwo
        }
        return String(decoding: text, as: UTF8.self)
    }

    func number(_ key: QuakeProperty) throws -> Double? {
        guard let (name, field, _) = field(key), !field.isEmpty else { return nil }
        let isDecimal = field.allSatisfy(ASCIIByte.isDecimal)
        guard isDecimal, let number = Double(String(decoding: field, as: UTF8.self)), number.isFinite else {
            let value = String(decoding: field, as: UTF8.self)
            throw FeatureDefect.wrongKind(member: name, value: value, expected: "a number")
        }
        return number
    }

    func integer(_ key: QuakeProperty) throws -> Int64? {
        guard let (name, field, _) = field(key), !field.isEmpty else { return nil }
        let isTime = key.kind == .time
        let integer = isTime ? Timestamp(iso8601: field)?.milliseconds : try number(key).flatMap { Int64(exactly: $0) }
        guard let integer else {
            let value = String(decoding: field, as: UTF8.self)
            let expected = isTime ? "in the form 2021-07-22T20:39:44.123Z" : "a whole number"
            throw FeatureDefect.wrongKind(member: name, value: value, expected: expected)
        }
        return integer
    }

    /// Returns a field, the name of its column, and whether the field is quoted; nil if the document has no such
    /// column. The byte before an unquoted field is a comma or a line end.
    private func field(_ key: QuakeProperty) -> (name: String, bytes: Slice<UnsafeRawBufferPointer>, isQuoted: Bool)? {
        guard let (position, name) = header.columns[key] else { return nil }
        let range = row.fields[position]
        return (name, bytes[range], bytes[range.lowerBound - 1] == ASCIIByte.quote)
    }
}
