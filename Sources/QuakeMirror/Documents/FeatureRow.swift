import FoundationEssentials

/// A feature as a row of values: id, longitude, latitude, depth, and the properties in the order of
/// `QuakeProperty.inFeatures`, without the uncertainties if the feature has none. See ``Writer``.
struct FeatureRow: Decodable {
    /// The quake; nil if a value is not valid. ``GeoJSONFeature`` then determines the error.
    let quake: Quake?

    init(from decoder: any Decoder) throws { quake = try? FeatureRow.quake(in: decoder.unkeyedContainer()) }

    /// The number of values before the properties.
    private static let valuesBeforeProperties = 4

    private static func quake(in row: any UnkeyedDecodingContainer) throws -> Quake {
        var row = row
        let id = try row.decode(String.self)
        let hypocenter = try Hypocenter(&row)
        let isLong = row.count == valuesBeforeProperties + QuakeProperty.inFeatures.count
        var properties = RowPropertyReader(
            row: row, members: isLong ? QuakeProperty.inFeatures : QuakeProperty.inFeed)
        return try Quake(id: id, hypocenter: hypocenter, properties: &properties)
    }
}

extension FeatureRow {
    /// Copies the values of features into rows of one JSON list, without decoding them.
    ///
    /// JSONDecoder takes four times as long for an object with some 30 members as for a list of the same values (12 µs
    /// instead of 3 per feature). This type copies the bytes of each value in a fixed order, in 0.7 µs per feature.
    /// Anything unusual, such as a repeated or escaped name, a wrong type or a stray comma, is left to
    /// ``GeoJSONFeature``. The values of unknown members are not decoded; ``/QuakeModel/JSONGrammar`` checks them.
    struct Writer {
        private let bytes: UnsafeRawBufferPointer
        private let list = ByteBuffer()
        /// The byte ranges of the current feature's id, coordinates, and properties in the order of
        /// `QuakeProperty.inFeatures`.
        private var id: Range<Int>?
        private var coordinates: [Range<Int>] = []
        private var properties: [Range<Int>?] = []
        private var hasUnknownProperties = false

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
            list.append(ASCIIByte.openBracket)
        }

        /// Writes the feature at `range` and returns whether it has unknown properties; nil if it is unusual and must
        /// be decoded alone, as a ``GeoJSONFeature``.
        mutating func append(_ range: Range<Int>) -> Bool? {
            forgetFeature()
            guard gatherFeature(range), let id, coordinates.count >= 2 else { return nil }
            list.append(list.count > 1 ? ASCIIByte.comma : ASCIIByte.space)
            list.append(ASCIIByte.openBracket)
            append(value: id)
            for place in 0..<3 {
                list.append(ASCIIByte.comma)
                append(value: place < coordinates.count ? coordinates[place] : nil)
            }
            let common = QuakeProperty.inFeed.count
            let hasUncertainties = properties[common...].contains { $0 != nil }
            for property in hasUncertainties ? properties[...] : properties[..<common] {
                list.append(ASCIIByte.comma)
                append(value: property)
            }
            list.append(ASCIIByte.closeBracket)
            return hasUnknownProperties
        }

        func finish() -> Data {
            list.append(ASCIIByte.closeBracket)
            return withExtendedLifetime(list) { Data(buffer: list.bytes) }
        }

        private func append(value: Range<Int>?) {
            guard let value else { return ASCIIByte.null.withUTF8Buffer { list.append($0) } }
            list.append(UnsafeRawBufferPointer(rebasing: bytes[value]).bindMemory(to: UInt8.self))
        }

        private mutating func forgetFeature() {
            id = nil
            coordinates.removeAll(keepingCapacity: true)
            properties.removeAll(keepingCapacity: true)
            properties.append(contentsOf: repeatElement(nil, count: QuakeProperty.inFeatures.count))
            hasUnknownProperties = false
        }

        /// Finds the values of a feature. Returns false if the feature is unusual.
        private mutating func gatherFeature(_ range: Range<Int>) -> Bool {
            var skipper = JSONSkipper(
                UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), at: range.lowerBound)
            var hasProperties = false
            var hasGeometry = false
            let isPlain = skipper.plainMembers { name, skipper in
                if bytes[name].elementsEqual("properties".utf8) {
                    guard !hasProperties else { return false }
                    hasProperties = true
                    return gatherProperties(&skipper)
                }
                if bytes[name].elementsEqual("geometry".utf8) {
                    guard !hasGeometry else { return false }
                    hasGeometry = true
                    return gatherGeometry(&skipper)
                }
                let isID = bytes[name].elementsEqual("id".utf8)
                guard isID else { return skipper.skipWellFormedValue() }
                guard id == nil, let value = skipper.scalar() else { return false }
                id = value
                return true
            }
            return isPlain && hasProperties && hasGeometry
        }

        private mutating func gatherProperties(_ skipper: inout JSONSkipper) -> Bool {
            var guess = 0
            return skipper.plainMembers { name, skipper in
                guard let position = QuakeProperty.position(of: bytes[name], guess: guess) else {
                    hasUnknownProperties = true
                    return skipper.skipWellFormedValue()
                }
                guard properties[position] == nil, let value = skipper.scalar() else { return false }
                properties[position] = value
                guess = position + 1
                return true
            }
        }

        private mutating func gatherGeometry(_ skipper: inout JSONSkipper) -> Bool {
            var hasCoordinates = false
            return skipper.plainMembers { name, skipper in
                guard bytes[name].elementsEqual("coordinates".utf8) else { return skipper.skipWellFormedValue() }
                guard !hasCoordinates else { return false }
                hasCoordinates = true
                return skipper.plainElements { skipper in
                    guard coordinates.count < 3 else { return skipper.skipWellFormedValue() }
                    guard let value = skipper.scalar() else { return false }
                    coordinates.append(value)
                    return true
                }
            }
        }
    }
}

/// Reads the members of a row by their position.
private struct RowPropertyReader: PropertyReader {
    var row: any UnkeyedDecodingContainer
    let members: [QuakeProperty]
    var position = 0

    mutating func text(_ key: QuakeProperty) throws -> String? {
        take(key)
        return try row.decodeIfPresent(String.self)
    }

    mutating func number(_ key: QuakeProperty) throws -> Double? {
        take(key)
        return try row.decodeIfPresent(Double.self)
    }

    mutating func integer(_ key: QuakeProperty) throws -> Int64? {
        take(key)
        return try row.decodeIfPresent(Int64.self)
    }

    /// A row contains no names, so reading out of order would return another member's value.
    private mutating func take(_ key: QuakeProperty) {
        precondition(members[position] == key)
        position += 1
    }
}

extension JSONSkipper {
    /// Calls `body` for every member of the object at this position, with the range of its name and the skipper at its
    /// value. Returns false if there is no well-formed object here, if a name contains escapes or anything but
    /// printable ASCII, or if `body` returns false.
    fileprivate mutating func plainMembers(_ body: (Range<Int>, inout JSONSkipper) -> Bool) -> Bool {
        guard take(ASCIIByte.openBrace) else { return false }
        if take(ASCIIByte.closeBrace) { return true }
        repeat {
            guard let name = try? skipString(), bytes[name].allSatisfy(ASCIIByte.isPlain)
            else { return false }
            skipSpace()
            guard take(ASCIIByte.colon), body(name, &self) else { return false }
            skipSpace()
        } while take(ASCIIByte.comma)
        return take(ASCIIByte.closeBrace)
    }

    /// Calls `body` at every element of the list at this position. Returns false if there is no well-formed list here,
    /// or if `body` returns false.
    fileprivate mutating func plainElements(_ body: (inout JSONSkipper) -> Bool) -> Bool {
        guard take(ASCIIByte.openBracket) else { return false }
        if take(ASCIIByte.closeBracket) { return true }
        repeat {
            guard body(&self) else { return false }
            skipSpace()
        } while take(ASCIIByte.comma)
        return take(ASCIIByte.closeBracket)
    }

    /// Skips the string, number or literal at this position and returns the range of its bytes. Returns nil at an
    /// object or list, which is not a value of any known member.
    fileprivate mutating func scalar() -> Range<Int>? {
        let start = position
        guard let current, current | 0x20 != ASCIIByte.openBrace, (try? skipValue()) != nil else { return nil }
        return start..<position
    }

    /// Skips the value at this position and returns whether it is valid JSON.
    fileprivate mutating func skipWellFormedValue() -> Bool {
        let start = position
        return (try? skipValue()) != nil
            && JSONGrammar.isValue(UnsafeRawBufferPointer(rebasing: bytes[start..<position]), depth: 1)
    }
}
