import FoundationEssentials

/// Writes features as rows of values, into one JSON list, without decoding them.
///
/// Need: JSONDecoder takes four times as long for an object of some thirty members as for a list of the same values
/// (12 µs against 3 a feature): it makes a dictionary of every object and looks every member up. Hazard: two ways to
/// read a feature may disagree. Choice: the bytes of each value are copied as they stand, in a fixed order; everything that
/// is not plain (a name twice or with escapes, a member of the wrong kind, a stray comma) is left to ``GeoJSONFeature``. What no
/// member is made of comes after the values, so that JSONDecoder checks it as well. Price: this walk, 0.7 µs a feature.
struct FeatureRowWriter {
    private let bytes: UnsafeRawBufferPointer
    private var list: [UInt8] = []
    /// What was found in the feature that is being written.
    private var id: Range<Int>?
    private var coordinates: [Range<Int>] = []
    private var properties: [Range<Int>?] = []
    /// Values that no value of the row is made of, to be checked and not read.
    private var rest: [Range<Int>] = []
    private var hasUnknownProperties = false

    /// A writer of features that lie in `bytes`, with room for rows of `capacity` bytes.
    init(_ bytes: UnsafeRawBufferPointer, capacity: Int) {
        self.bytes = bytes
        list.reserveCapacity(capacity)
        list.append(JSONByte.openBracket)
    }

    /// How a feature was taken.
    enum Outcome {
        case written(hasUnknownProperties: Bool)
        /// Not: it must be decoded as it is.
        case unusual
    }

    /// Adds the feature at `range`.
    mutating func append(_ range: Range<Int>) -> Outcome {
        forgetFeature()
        guard gatherFeature(range), let id, coordinates.count >= 2 else { return .unusual }
        list.append(list.count > 1 ? JSONByte.comma : JSONByte.space)
        list.append(JSONByte.openBracket)
        append(value: id)
        for place in 0..<3 {
            list.append(JSONByte.comma)
            append(value: place < coordinates.count ? coordinates[place] : nil)
        }
        for property in properties {
            list.append(JSONByte.comma)
            append(value: property)
        }
        for value in coordinates.dropFirst(3) + rest {
            list.append(JSONByte.comma)
            append(value: value)
        }
        list.append(JSONByte.closeBracket)
        return .written(hasUnknownProperties: hasUnknownProperties)
    }

    /// The rows as one JSON list.
    consuming func finish() -> Data {
        list.append(JSONByte.closeBracket)
        return Data(list)
    }

    private mutating func append(value: Range<Int>?) {
        if let value {
            list.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[value]))
        } else {
            JSONByte.null.withUTF8Buffer { list.append(contentsOf: $0) }
        }
    }

    private mutating func forgetFeature() {
        id = nil
        coordinates.removeAll(keepingCapacity: true)
        properties.removeAll(keepingCapacity: true)
        properties.append(contentsOf: repeatElement(nil, count: PropertyKey.allCases.count))
        rest.removeAll(keepingCapacity: true)
        hasUnknownProperties = false
    }

    /// Finds the values of a feature; false when it is not plain.
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
            if isID { id = value } else { rest.append(value) }
            return true
        }
        return isPlain && hasProperties && hasGeometry
    }

    private mutating func gatherProperties(_ skipper: inout JSONSkipper) -> Bool {
        var guess = 0
        return skipper.plainMembers { name, skipper in
            guard let value = skipper.plainValue() else { return false }
            guard let position = PropertyKey.position(of: bytes[name], guess: guess) else {
                hasUnknownProperties = true
                rest.append(value)
                return true
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
                guard let value = skipper.plainValue() else { return false }
                rest.append(value)
                return true
            }
            guard !hasCoordinates else { return false }
            hasCoordinates = true
            return skipper.plainElements { skipper in
                guard let value = skipper.plainValue() else { return false }
                coordinates.append(value)
                return true
            }
        }
    }

}

extension JSONSkipper {
    /// Calls `body` with the name of every member of the object here, the skipper at its value. False when this is no object,
    /// when a name holds escapes or anything but printable ASCII, or when `body` says so.
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

    /// Calls `body` before every element of the list here. False when this is no list, or when `body` says so.
    fileprivate mutating func plainElements(_ body: (inout JSONSkipper) -> Bool) -> Bool {
        guard take(JSONByte.openBracket) else { return false }
        if take(JSONByte.closeBracket) { return true }
        repeat {
            guard body(&self) else { return false }
            skipSpace()
        } while take(JSONByte.comma)
        return take(JSONByte.closeBracket)
    }

    /// The bytes of the value here, after which the skipper stands.
    fileprivate mutating func plainValue() -> Range<Int>? {
        let start = position
        guard (try? skipValue()) != nil else { return nil }
        return start..<position
    }
}
