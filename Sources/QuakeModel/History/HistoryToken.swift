/// A position in the history of one cache, opaque to users.
///
/// The printed form is `q1.STORE.NUMBER.FINGERPRINT`. It has at most 64 characters from the alphabet `[A-Za-z0-9._-]`
/// and needs no quotes in a shell. Two tokens denote the same position if all three parts are equal. The fingerprint is
/// random for each transaction, so diverged copies of a cache have different fingerprints for the same number.
public struct HistoryToken: Hashable, Sendable, CustomStringConvertible {
    /// The id of the cache that issued the token.
    public let storeID: String
    /// The last transaction before this position; 0 if there is none.
    public let number: TransactionNumber
    /// The random fingerprint of transaction ``number``.
    package let fingerprint: UInt32

    /// Creates the token for the position after transaction `number`.
    package init(storeID: String, number: TransactionNumber, fingerprint: UInt32) {
        self.storeID = storeID
        self.number = number
        self.fingerprint = fingerprint
    }

    /// The printed form, `q1.STORE.NUMBER.FINGERPRINT`.
    public var description: String {
        let hexadecimal = String(fingerprint, radix: 16)
        return "q1.\(storeID).\(number).\(String(repeating: "0", count: 8 - hexadecimal.count))\(hexadecimal)"
    }

    /// Creates a token from its printed form; nil if `text` is not a token.
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

    /// The bytes allowed in a store id: digits and lowercase letters, without the easily confused i, l, o and u.
    package static let storeIDAlphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

/// A token is encoded in its printed form.
extension HistoryToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = HistoryToken(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a history token")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
