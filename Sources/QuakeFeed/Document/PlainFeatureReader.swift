import QuakeModel

/// Reads features as the feed writes them, without JSONDecoder.
///
/// Need: JSONDecoder takes 9 µs for a feature, a fifth of an import (decision 0220). Hazard: two ways to read a feature
/// may disagree. Choice: a value is read here only where JSONDecoder could read nothing else in it (``PlainValue``). A
/// feature with anything else (a name twice or with escapes, a member of the wrong type, an object that the program does
/// not know) is left to ``GeoJSONFeature``, and so is one that is no possible quake: that says what is wrong. The fuzzer
/// compares both ways (`make fuzz`).
struct PlainFeatureReader {
    private let bytes: UnsafeRawBufferPointer
    /// What was found in the current feature.
    private var id: Range<Int>?
    private var coordinates: [Range<Int>] = []
    private var properties: [Range<Int>?] = []
    /// Whether the feature that was read last has properties that this program does not know.
    private(set) var hasUnknownProperties = false

    /// A reader of features in `bytes`.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The quake that the feature at `range` describes; nil if it is not plain, or not a possible quake.
    mutating func quake(at range: Range<Int>) -> Quake? {
        forgetFeature()
        guard gatherFeature(range), let id else { return nil }
        var values = coordinates.makeIterator()
        var reader = PlainPropertyReader(bytes, properties)
        return try? Quake(
            id: PlainValue(bytes, id).text(),
            hypocenter: Hypocenter { try values.next().flatMap { try PlainValue(bytes, $0).orNil?.number() } },
            properties: &reader)
    }

    private mutating func forgetFeature() {
        id = nil
        coordinates.removeAll(keepingCapacity: true)
        properties.removeAll(keepingCapacity: true)
        properties.append(contentsOf: repeatElement(nil, count: PropertyKey.inOrder.count))
        hasUnknownProperties = false
    }

    /// Finds the values of a feature; false if it is not plain.
    private mutating func gatherFeature(_ range: Range<Int>) -> Bool {
        var skipper = JSONSkipper(UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), at: range.lowerBound)
        var (hasProperties, hasGeometry) = (false, false)
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
            guard !isID || id == nil, let value = skipper.plainValue() else { return false }
            if isID { id = value }
            return isID || PlainValue(bytes, value).isValid
        }
        return isPlain && hasProperties && hasGeometry
    }

    private mutating func gatherProperties(_ skipper: inout JSONSkipper) -> Bool {
        var guess = 0
        return skipper.plainMembers { name, skipper in
            guard let value = skipper.plainValue() else { return false }
            guard let position = PropertyKey.position(of: bytes[name], guess: guess) else {
                hasUnknownProperties = true
                return PlainValue(bytes, value).isValid
            }
            guard properties[position] == nil else { return false }
            properties[position] = value
            guess = position + 1
            return true
        }
    }

    private mutating func gatherGeometry(_ skipper: inout JSONSkipper) -> Bool {
        var hasCoordinates = false
        return skipper.plainMembers { name, skipper in
            guard bytes[name].elementsEqual("coordinates".utf8) else {
                return skipper.plainValue().map { PlainValue(bytes, $0).isValid } ?? false
            }
            guard !hasCoordinates else { return false }
            hasCoordinates = true
            return skipper.plainElements { skipper in
                guard let value = skipper.plainValue() else { return false }
                coordinates.append(value)
                return coordinates.count <= 3 || PlainValue(bytes, value).isValid
            }
        }
    }
}

extension JSONSkipper {
    /// Calls `body` with the name of every member of the object here, the skipper at its value. False if this is no
    /// object, if a name has escapes or anything but printable ASCII, or if `body` returns false.
    fileprivate mutating func plainMembers(_ body: (Range<Int>, inout JSONSkipper) -> Bool) -> Bool {
        guard take(JSONByte.openBrace) else { return false }
        if take(JSONByte.closeBrace) { return true }
        repeat {
            guard let name = try? skipString(), bytes[name].allSatisfy(JSONByte.isPlain)
            else { return false }
            skipSpace()
            guard take(JSONByte.colon), body(name, &self) else { return false }
            skipSpace()
        } while take(JSONByte.comma)
        return take(JSONByte.closeBrace)
    }

    /// Calls `body` before every element of the list here. False if this is no list, or if `body` returns false.
    fileprivate mutating func plainElements(_ body: (inout JSONSkipper) -> Bool) -> Bool {
        guard take(JSONByte.openBracket) else { return false }
        if take(JSONByte.closeBracket) { return true }
        repeat {
            guard body(&self) else { return false }
            skipSpace()
        } while take(JSONByte.comma)
        return take(JSONByte.closeBracket)
    }

    /// Steps over the value here and returns its bytes.
    fileprivate mutating func plainValue() -> Range<Int>? {
        let start = position
        guard (try? skipValue()) != nil else { return nil }
        return start..<position
    }
}

/// Reads the members of a feature's properties, by their position.
private struct PlainPropertyReader: PropertyReader {
    private let bytes: UnsafeRawBufferPointer
    private let properties: [Range<Int>?]
    private var turn = 0

    init(_ bytes: UnsafeRawBufferPointer, _ properties: [Range<Int>?]) {
        self.bytes = bytes
        self.properties = properties
    }

    mutating func text(_ key: PropertyKey) throws -> String? { try take(key)?.text() }

    mutating func number(_ key: PropertyKey) throws -> Double? { try take(key)?.number() }

    mutating func integer(_ key: PropertyKey) throws -> Int64? { try take(key)?.integer() }

    /// In another order it would be another member's value.
    private mutating func take(_ key: PropertyKey) -> PlainValue? {
        precondition(PropertyKey.inOrder[turn] == key)
        defer { turn += 1 }
        return properties[turn].flatMap { PlainValue(bytes, $0).orNil }
    }
}
