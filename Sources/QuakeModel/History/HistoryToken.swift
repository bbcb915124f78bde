/// A point in the history of one cache. Opaque to users.
///
/// The printed form is `q1.STORE.NUMBER.FINGERPRINT`, in the alphabet `[A-Za-z0-9._-]`, at most 64 characters, safe
/// unquoted in a shell. Two tokens name the same point when all three parts are equal: the fingerprint is drawn at
/// random for each transaction, so two copies of a cache that diverged have different fingerprints under the same
/// numbers.
public struct HistoryToken: Hashable, Sendable, CustomStringConvertible {
    /// The id of the cache the token belongs to.
    public let storeID: String
    /// The last transaction the holder has seen; 0 before the first.
    public let number: TransactionNumber
    /// Drawn at random when that transaction was made.
    public let fingerprint: UInt32

    /// The point after transaction `number`.
    public init(storeID: String, number: TransactionNumber, fingerprint: UInt32) {
        (self.storeID, self.number, self.fingerprint) = (storeID, number, fingerprint)
    }

    /// The printed form.
    public var description: String {
        let hexadecimal = String(fingerprint, radix: 16)
        return "q1.\(storeID).\(number).\(String(repeating: "0", count: 8 - hexadecimal.count))\(hexadecimal)"
    }

    /// Reads the printed form. Nil when the text is not a token.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "q1", !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ HistoryToken.storeIDAlphabet.contains($0) }),
            parts[2].utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(parts[2]),
            parts[3].utf8.count == 8, parts[3].first != "+", parts[3].first != "-",
            let fingerprint = UInt32(parts[3], radix: 16)
        else { return nil }
        self.init(storeID: String(parts[1]), number: TransactionNumber(number), fingerprint: fingerprint)
    }

    /// The bytes a store id is written in: lower-case letters and digits without the look-alikes i, l, o, u.
    public static let storeIDAlphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

/// Encoded in its printed form.
extension HistoryToken: Codable {
    /// Reads the printed form. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = HistoryToken(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a history token")
        }
        self = token
    }

    /// Writes the printed form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Why a token cannot be followed.
public enum TokenFault: String, CaseIterable, Codable, Sendable, Hashable {
    /// There is none: the reader has nothing yet.
    case missing
    /// It is before the floor: that history was purged.
    case expired
    /// It belongs to another cache.
    case foreign
    /// It is after the head: this cache is older than the one that gave it, such as a restored backup.
    case future
    /// This cache and the one that gave the token are copies that diverged.
    case forked
}

extension TokenFault {
    /// What is wrong with the token, as the end of a sentence.
    package var words: String {
        switch self {
        case .missing: "there is none"
        case .expired: "the history following it has been purged"
        case .foreign: "it belongs to another cache"
        case .future: "it is newer than this cache, which may be a restored backup or an older copy"
        case .forked: "it belongs to a copy of this cache that has since diverged"
        }
    }
}
