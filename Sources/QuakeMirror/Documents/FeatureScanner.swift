package import FoundationEssentials

/// Locates the features of a GeoJSON document in one pass over its bytes, without decoding them. Of the 10,000 features
/// of a month, 99% have the same bytes as when they were last decoded, so they need not be decoded again. An unreadable
/// feature cannot affect its neighbors, and the changed features can be decoded on two cores.
package struct FeatureScanner: Sendable {
    package private(set) var features: [FeatureSpan] = []
    /// The document with an empty list in place of its features.
    package private(set) var envelope = Data()

    package init(_ body: Data) throws(DocumentError) {
        try body.reading { bytes throws(DocumentError) in try scan(bytes) }
    }

    /// The maximum number of features in a document, far more than any published document has.
    static let maximumFeatures = 400_000

    /// The maximum number of bytes apart from the features; published documents have 300.
    private static let maximumEnvelopeBytes = 1 << 20

    /// The maximum number of list elements that are not objects; a document with more is rejected.
    private static let maximumNonObjects = 1000

    /// Returns a description of a document that is not an object, such as "a list".
    private static func kind(of document: some Collection<UInt8>) -> String {
        if document.first == ASCIIByte.openBracket { return "a list" }
        let isValue = "\"-0123456789".utf8.contains { $0 == document.first }
        let isWord = ["true", "false", "null"].contains { document.starts(with: $0.utf8) }
        return isValue || isWord ? "a single value" : "text that is not JSON"
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        let mark = ASCIIByte.byteOrderMark
        var skipper = JSONSkipper(bytes, at: bytes.starts(with: mark) ? mark.count : 0)
        skipper.skipSpace()
        guard skipper.current != nil else { throw .empty }
        if let error = DocumentError.otherFormat(start: bytes[skipper.position...]) { throw error }
        guard skipper.take(ASCIIByte.openBrace) else {
            throw .notAFeatureCollection(found: Self.kind(of: bytes[skipper.position...]))
        }
        var listRange: Range<Int>?
        if !skipper.take(ASCIIByte.closeBrace) {
            repeat {
                let key = try skipper.skipString()
                skipper.skipSpace()
                guard skipper.take(ASCIIByte.colon) else { throw skipper.fault("a colon was expected") }
                if listRange == nil, bytes[key].elementsEqual("features".utf8), skipper.current == ASCIIByte.openBracket
                {
                    let first = skipper.position
                    try scanFeatures(&skipper)
                    listRange = first..<skipper.position
                } else {
                    try skipper.skipValue()
                }
                skipper.skipSpace()
            } while skipper.take(ASCIIByte.comma)
            guard skipper.take(ASCIIByte.closeBrace) else { throw skipper.fault("a comma or a brace was expected") }
        }
        skipper.skipSpace()
        guard skipper.current == nil else {
            throw .notJSON(offset: skipper.position, reason: "more text after the end")
        }
        guard bytes.count - (listRange?.count ?? 0) <= FeatureScanner.maximumEnvelopeBytes else {
            throw .notAFeatureCollection(found: "an object with more than 1 MiB besides its features")
        }
        envelope = Data(bytes[0..<(listRange?.lowerBound ?? bytes.count)])
        if let listRange {
            envelope.append(contentsOf: "[]".utf8)
            envelope.append(contentsOf: bytes[listRange.upperBound..<bytes.count])
        }
    }

    private mutating func scanFeatures(_ skipper: inout JSONSkipper) throws(DocumentError) {
        _ = skipper.take(ASCIIByte.openBracket)
        // A published feature has about 700 bytes, so the array rarely grows beyond this capacity.
        features.reserveCapacity((skipper.bytes.count - skipper.position) / 700)
        if skipper.take(ASCIIByte.closeBracket) { return }
        var nonObjects = 0
        repeat {
            let start = skipper.position
            var id: Range<Int>?
            if skipper.current == ASCIIByte.openBrace {
                try skipper.skipContainer { key, skipper in
                    guard key.count == 2, id == nil, skipper.bytes[key].elementsEqual("id".utf8) else { return }
                    id = FeatureScanner.stringAfterColon(&skipper)
                }
            } else {
                try skipper.skipValue()
                nonObjects += 1
                guard nonObjects <= FeatureScanner.maximumNonObjects else {
                    throw .notAFeatureCollection(found: "a list in which most values are not features")
                }
            }
            let range = start..<skipper.position
            guard features.count < FeatureScanner.maximumFeatures else {
                throw .notAFeatureCollection(found: "a list of more than \(FeatureScanner.maximumFeatures) features")
            }
            features.append(
                FeatureSpan(
                    range: range, idRange: id,
                    hash: ByteHash.hash(UnsafeRawBufferPointer(rebasing: skipper.bytes[range]))))
            skipper.skipSpace()
        } while skipper.take(ASCIIByte.comma)
        guard skipper.current == ASCIIByte.closeBracket else {
            throw skipper.fault("a comma or a bracket was expected")
        }
        _ = skipper.take(ASCIIByte.closeBracket)
    }

    /// Returns the range of the string that is the value of the key just read. If the value is not a string, returns
    /// nil and does not move the skipper.
    private static func stringAfterColon(_ skipper: inout JSONSkipper) -> Range<Int>? {
        var ahead = skipper
        ahead.skipSpace()
        guard ahead.take(ASCIIByte.colon), ahead.current == ASCIIByte.quote, let string = try? ahead.skipString() else {
            return nil
        }
        skipper = ahead
        return string
    }
}
