import FoundationEssentials
import QuakeModel

/// The members of a feature's `properties` that this program understands.
enum PropertyKey: String, CodingKey, CaseIterable {
    case mag, place, time, updated, tz, url, detail, felt, cdi, mmi, alert, status, tsunami, sig, net, code, ids,
        sources,
        types, nst, dmin, rms, gap, magType, type, title
}

/// Reads the properties of one feature. A member that is null is as good as missing.
struct PropertyReader {
    private let container: KeyedDecodingContainer<PropertyKey>

    init(_ container: KeyedDecodingContainer<PropertyKey>) {
        self.container = container
    }

    func text(_ key: PropertyKey) throws -> String? {
        try container.decodeIfPresent(String.self, forKey: key)
    }

    func number(_ key: PropertyKey) throws -> Double? {
        try container.decodeIfPresent(Double.self, forKey: key)
    }

    /// An integer, also one that is written as a float: `5.0`.
    func integer(_ key: PropertyKey) throws -> Int64? {
        do {
            return try container.decodeIfPresent(Int64.self, forKey: key)
        } catch {
            // 5.5 is reported as damaged JSON, without saying where.
            throw FeatureDefect.wrongKind(member: key.rawValue, expected: "a whole number")
        }
    }

    func requiredText(_ key: PropertyKey) throws -> String {
        guard let text = try text(key), !text.isEmpty else { throw FeatureDefect.missing(key.rawValue) }
        return text
    }

    func requiredMoment(_ key: PropertyKey) throws -> Timestamp {
        guard let milliseconds = try integer(key) else { throw FeatureDefect.missing(key.rawValue) }
        let moment = Timestamp(milliseconds: milliseconds)
        guard Timestamp.representable.contains(moment) else {
            throw FeatureDefect.outOfRange(member: key.rawValue, value: "\(milliseconds)")
        }
        return moment
    }
}

extension FeatureDefect {
    /// What JSONDecoder found wrong with a feature, by the member it stumbled over.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missing(key.stringValue)
        case .valueNotFound(_, let context):
            self = context.codingPath.member.map(FeatureDefect.missing) ?? .notAnObject
        case .typeMismatch(let type, let context):
            guard let member = context.codingPath.member else {
                self = .notAnObject
                return
            }
            self = .wrongKind(member: member, expected: FeatureDefect.words[ObjectIdentifier(type)] ?? "an object")
        case .dataCorrupted(let context): self = .notJSON(context.debugDescription)
        @unknown default: self = .notJSON("\(error)")
        }
    }

    private static let words: [ObjectIdentifier: String] = [
        ObjectIdentifier(String.self): "a text", ObjectIdentifier(Double.self): "a number",
    ]
}

extension [any CodingKey] {
    /// The member the path ends at; coordinates by what they mean. Nil for the feature itself.
    fileprivate var member: String? {
        guard let last else { return nil }
        guard let index = last.intValue else { return last.stringValue }
        guard count > 1, self[count - 2].stringValue == "coordinates" else { return nil }
        return ["longitude", "latitude", "depth"][Swift.min(index, 2)]
    }
}
