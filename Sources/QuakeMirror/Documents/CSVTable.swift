/// Locates the rows of a CSV document in one pass over its bytes, without decoding them, like ``FeatureScanner`` for
/// GeoJSON.
struct CSVTable: Sendable {
    let header: CSVHeader
    private(set) var rows: [FeatureSpan] = []
    /// The line on which each row begins, counted from 1.
    private(set) var lineNumbers: [UInt32] = []
    /// The newest time in the column `updated` that is not later than the response; nil if there is none.
    private(set) var newestUpdate: Timestamp?
    /// The oldest origin time; nil if there is none.
    private(set) var oldestOrigin: Timestamp?
    /// The first line with a row that is not UTF-8, such as one saved by a spreadsheet in its own encoding.
    private(set) var invalidLine: UInt32?
    /// Whether a row contains valid UTF-8 besides ASCII, which text in another encoding hardly ever does.
    private(set) var hasUTF8 = false

    /// Returns nil if the first line shows that the document is not CSV. Throws if the columns are named in a later
    /// line, below a title.
    init?(_ bytes: UnsafeRawBufferPointer, received: Timestamp) throws(DocumentError) {
        let mark = ASCIIByte.byteOrderMark
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
        guard var position = text.firstIndex(where: { !ASCIIByte.isSpace($0) }),
            bytes[position] | 0x20 != ASCIIByte.openBrace, DocumentError.otherFormat(start: text[position...]) == nil
        else { return nil }
        let first = CSVRow(bytes, at: position)
        guard let header = try CSVHeader(first, in: bytes) else {
            let start = String(decoding: bytes[position...].prefix(2000), as: UTF8.self)
            guard start.contains("latitude,longitude") else { return nil }
            throw .unnamedColumns(required: CSVHeader.requiredNames)
        }
        self.header = header
        let headerBytes = UnsafeRawBufferPointer(rebasing: bytes[first.range])
        let headerHash = ByteHash.hash(headerBytes)
        var line = 1 + bytes[..<position].count { $0 == ASCIIByte.lineFeed }
        var mayBreakLines = true
        rows.reserveCapacity(min(bytes.count / first.range.count, FeatureScanner.maximumFeatures))
        while position < bytes.count {
            // Several documents may have been joined, each with its own byte order mark and header.
            if bytes[position...].starts(with: mark) { position += mark.count }
            let row = CSVRow(bytes, at: position, mayBreakLines: mayBreakLines)
            // After the first unmatched quotation mark, quoted fields may not contain line breaks. Otherwise, every
            // such row might be scanned to the end of the document.
            mayBreakLines = mayBreakLines && !row.fields.isEmpty
            let rowBytes = UnsafeRawBufferPointer(rebasing: bytes[row.range])
            if !rowBytes.isEmpty, !rowBytes.elementsEqual(headerBytes) {
                try append(row, bytes, line, hash: ByteHash.combine(ByteHash.hash(rowBytes), headerHash), received)
            }
            let next = min(row.range.upperBound + 1, bytes.count)
            line += bytes[position..<next].count { $0 == ASCIIByte.lineFeed }
            position = next
        }
    }

    private mutating func append(
        _ row: CSVRow, _ bytes: UnsafeRawBufferPointer, _ line: Int, hash: Int64, _ received: Timestamp
    ) throws(DocumentError) {
        guard rows.count < FeatureScanner.maximumFeatures else {
            throw .tooManyRows(limit: FeatureScanner.maximumFeatures)
        }
        func field(_ property: QuakeProperty) -> Range<Int>? {
            row.fields.count == header.count ? header.columns[property].map { row.fields[$0.position] } : nil
        }
        if bytes[row.range].contains(where: { $0 >= 0x80 }) {
            if String(validating: bytes[row.range], as: UTF8.self) != nil {
                hasUTF8 = true
            } else {
                invalidLine = invalidLine ?? UInt32(truncatingIfNeeded: line)
            }
        }
        rows.append(FeatureSpan(range: row.range, idRange: field(.id), hash: hash))
        lineNumbers.append(UInt32(truncatingIfNeeded: line))
        func time(_ property: QuakeProperty) -> Timestamp? {
            field(property).flatMap { Timestamp(iso8601: bytes[$0]) }
        }
        if let updated = time(.updated), updated <= received { newestUpdate = max(newestUpdate ?? updated, updated) }
        if let origin = time(.time) { oldestOrigin = min(oldestOrigin ?? origin, origin) }
    }
}
