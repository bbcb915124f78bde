package import FoundationEssentials

/// Finds the features of a GeoJSON document in one pass over its bytes. They are not decoded, because 99% of a month's
/// 10,000 features are unchanged, and unchanged bytes were checked when they first arrived. A bad feature cannot affect
/// its neighbors, and the changed features can be decoded on two cores.
package struct FeatureScanner: Sendable {
    package private(set) var features: [FeatureSpan] = []
    /// The document with an empty list in place of its features.
    package private(set) var envelope = Data()

    package init(_ body: Data) throws(DocumentError) {
        let outcome = body.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try scan(bytes) }
        }
        try outcome.get()
    }

    /// The maximum number of features in a document, far more than any published document has.
    private static let mostFeatures = 400_000

    /// The maximum number of bytes apart from the features; published documents have 300.
    private static let largestEnvelope = 1 << 20

    /// The number of list elements that may be something other than objects before the document is rejected.
    private static let mostStrangers = 1000

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        // Some editors write a byte-order mark at the start of UTF-8 text.
        var skipper = JSONSkipper(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        skipper.skipSpace()
        guard skipper.current != nil else { throw .empty }
        if let error = DocumentError.otherFormat(start: bytes[skipper.position...]) { throw error }
        guard skipper.take(JSONByte.openBrace) else {
            throw .notAFeatureCollection(found: skipper.current == JSONByte.openBracket ? "a list" : "a single value")
        }
        var listRange: Range<Int>?
        if !skipper.take(JSONByte.closeBrace) {
            repeat {
                let key = try skipper.skipString()
                skipper.skipSpace()
                guard skipper.take(JSONByte.colon) else { throw skipper.fault("a colon was expected") }
                if listRange == nil, bytes[key].elementsEqual("features".utf8), skipper.current == JSONByte.openBracket
                {
                    let first = skipper.position
                    try scanFeatures(&skipper)
                    listRange = first..<skipper.position
                } else {
                    try skipper.skipValue()
                }
                skipper.skipSpace()
            } while skipper.take(JSONByte.comma)
            guard skipper.take(JSONByte.closeBrace) else { throw skipper.fault("a comma or a brace was expected") }
        }
        skipper.skipSpace()
        guard skipper.current == nil else {
            throw .notJSON(offset: skipper.position, reason: "more text after the end")
        }
        guard bytes.count - (listRange?.count ?? 0) <= FeatureScanner.largestEnvelope else {
            throw .notAFeatureCollection(found: "an object with more than 1 MiB besides its features")
        }
        envelope = Data(bytes[0..<(listRange?.lowerBound ?? bytes.count)])
        if let listRange {
            envelope.append(contentsOf: "[]".utf8)
            envelope.append(contentsOf: bytes[listRange.upperBound..<bytes.count])
        }
    }

    private mutating func scanFeatures(_ skipper: inout JSONSkipper) throws(DocumentError) {
        _ = skipper.take(JSONByte.openBracket)
        // A published feature has about 700 bytes, so the array rarely grows beyond this capacity.
        features.reserveCapacity((skipper.bytes.count - skipper.position) / 700)
        if skipper.take(JSONByte.closeBracket) { return }
        var strangers = 0
        repeat {
            let start = skipper.position
            var id: Range<Int>?
            if skipper.current == JSONByte.openBrace {
                try skipper.skipContainer { key, skipper in
                    guard key.count == 2, id == nil, skipper.bytes[key].elementsEqual("id".utf8) else { return }
                    id = FeatureScanner.stringAfterColon(&skipper)
                }
            } else {
                try skipper.skipValue()
                strangers += 1
                guard strangers <= FeatureScanner.mostStrangers else {
                    throw .notAFeatureCollection(found: "a list in which most values are not features")
                }
            }
            let range = start..<skipper.position
            guard features.count < FeatureScanner.mostFeatures else {
                throw .notAFeatureCollection(found: "a list of more than \(FeatureScanner.mostFeatures) features")
            }
            features.append(
                FeatureSpan(
                    range: range, idRange: id,
                    hash: ByteHash.hash(UnsafeRawBufferPointer(rebasing: skipper.bytes[range]))))
            skipper.skipSpace()
        } while skipper.take(JSONByte.comma)
        guard skipper.current == JSONByte.closeBracket else { throw skipper.fault("a comma or a bracket was expected") }
        _ = skipper.take(JSONByte.closeBracket)
    }

    /// Returns the string value of the key just read. If the value is not a string, the skipper does not move.
    private static func stringAfterColon(_ skipper: inout JSONSkipper) -> Range<Int>? {
        var ahead = skipper
        ahead.skipSpace()
        guard ahead.take(JSONByte.colon), ahead.current == JSONByte.quote, let string = try? ahead.skipString() else {
            return nil
        }
        skipper = ahead
        return string
    }
}

/// A 64-bit hash for distinguishing changed features from unchanged ones.
///
/// It multiplies and folds eight bytes at a time, after wyhash (Wang Yi, public domain). It does not resist attacks: an
/// attacker who can forge a collision can also publish arbitrary values.
enum ByteHash {
    /// The seed is changed whenever the same bytes get a new meaning, so that the new version decodes everything again.
    private static let seed: UInt64 = 0xA076_1D64_78BD_642F &+ 4

    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        var state = seed
        var offset = 0
        while offset + 16 <= bytes.count {
            let low = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            state = fold(low ^ 0xE703_7ED1_A0B4_28DB, high ^ state)
            offset += 16
        }
        var rest = SIMD2<UInt64>.zero
        withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[offset...]) }
        state = fold(rest.x ^ 0x8EBC_6AF0_9C88_C6E3, rest.y ^ state)
        let result = fold(state ^ 0x5899_65CC_7537_4CC3, UInt64(bytes.count) ^ seed)
        // 0 means "unknown" in the store.
        return result == 0 ? 1 : Int64(bitPattern: result)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
