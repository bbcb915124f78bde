package import FoundationEssentials

/// A scanned document from a feed, the event service or a file: its source, its time, and the locations of its
/// features.
package struct FeedSnapshot: Sendable {
    /// The URL of the request, without credentials; for a file, the URL given in the document, or else the
    /// file's path.
    let address: String
    package let feed: FeedName?
    package let envelope: FeedEnvelope
    /// The ETag and `Last-Modified` of the response, for the next conditional request.
    let validators: CacheValidators
    /// The rows of a CSV document; nil for GeoJSON.
    let table: CSVTable?
    /// The properties that keep their cached values, because the document does not contain them (rule 24). Empty for
    /// GeoJSON.
    let missingProperties: Set<QuakeProperty>
    /// The publication time according to the document or, if it has none, the time of the response. Users see this
    /// time. It also ends the period that a feed covers.
    let published: Timestamp
    /// The time by which documents are ordered (rule 10) and as of which the document reflects the source's data:
    /// ``published``, but no later than the response.
    let sourceTime: Timestamp
    /// The locations of the features or rows, in document order.
    package internal(set) var features: [FeatureSpan]
    package let body: Data
    /// The uncertainties of the features, if they were requested as well.
    var uncertainties: UncertaintyRows?

    /// Reads `body`, which came from `source`, a URL or a file.
    ///
    /// - Parameters:
    ///   - asked: the summary feed that was requested, if any; any other feed is rejected.
    ///   - validators: the validators of the response.
    ///   - received: the time of the response by the server's clock or, if the server gave no time, by this machine's
    ///     clock.
    ///   - generated: the publication time of a CSV document, because CSV does not contain it; nil for the newest
    ///     update time in the document.
    package init(
        _ body: Data, source: String, asked: FeedName? = nil, validators: CacheValidators = CacheValidators(),
        received: Timestamp = .now, generated: Timestamp? = nil
    ) throws(DocumentError) {
        guard body.count <= FeedSource.maximumBytes else { throw .tooLarge(limit: FeedSource.maximumBytes) }
        table = try body.reading { bytes throws(DocumentError) in try CSVTable(bytes, received: received) }
        if let table {
            if let asked { throw .otherDocument(asked: asked.description, found: "CSV") }
            envelope = FeedEnvelope(generated: generated ?? table.newestUpdate)
            features = table.rows
            // CSV has no column for the code. Together, network and code form the id, so the cached network is kept
            // with the cached code.
            missingProperties = Set(QuakeProperty.stored).subtracting(table.header.columns.keys).union([.net])
        } else {
            let scanner = try FeatureScanner(body)
            envelope = try FeedEnvelope(decoding: scanner.envelope)
            features = scanner.features
            missingProperties = []
        }
        feed = envelope.feedName ?? asked
        if let asked, let found = envelope.feedName, found != asked {
            throw .otherDocument(asked: asked.description, found: found.description)
        }
        address = source.contains("://") ? source : envelope.url ?? source
        self.validators = validators
        published = envelope.generated ?? received
        sourceTime = min(published, received)
        self.body = body
    }

    /// The reason that a CSV file with the publication time `generated` (nil if none was given) cannot be read; nil if
    /// there is none.
    func defect(ofFilePublishedAt generated: Timestamp?) -> DocumentError? {
        guard let table else { return generated == nil ? nil : .geoJSONTimeIsFixed }
        // Single invalid bytes in UTF-8, or in what a server sends, become U+FFFD (rule 16).
        if let line = table.invalidLine, !table.hasUTF8 { return .notUTF8(line: line) }
        guard let generated, let oldest = table.oldestOrigin, oldest > generated else { return nil }
        return .originsLater(from: oldest)
    }

    /// Whether the document is CSV. A CSV document covers no origin times, and no quake counts as absent from it.
    package var isCSV: Bool { table != nil }

    /// The name under which the cache records the document: the name of the summary feed, or else ``address``.
    package var name: String { feed?.description ?? address }

    /// The origin times that the document covers, if it is a summary feed.
    var window: ClosedRange<Timestamp>? { feed.map { published - $0.period.window...published } }

    /// Whether the document has as many features as it claims; true if it makes no claim.
    var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }

    /// Returns the id of the feature at `index` as written; nil if it is missing, contains escapes, or is too long.
    package func id(at index: Int) -> String? {
        guard let range = features[index].idRange, range.count <= Quake.maximumIDBytes else { return nil }
        return body.withUnsafeBytes { bytes in
            let id = bytes[range]
            let isEscaped = id.contains { $0 == ASCIIByte.backslash || $0 == ASCIIByte.quote }
            return isEscaped ? nil : String(decoding: id, as: UTF8.self)
        }
    }

    /// Returns the report on the unreadable feature at `index`.
    func skippedFeature(at index: Int, _ defect: FeatureDefect) -> SkippedFeature {
        let position = table.map { Int($0.lineNumbers[index]) } ?? index + 1
        let id = id(at: index).flatMap { $0.isEmpty ? nil : $0 }
        return SkippedFeature(position: position, id: id, defect: defect, isLine: isCSV)
    }
}
