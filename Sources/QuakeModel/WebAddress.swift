/// Addresses without what gives access: the form in which they are stored, compared and shown.
///
/// Need: an address may carry a user, a password or a key. Hazard: the cache, its backups, error messages and logs are
/// read by others. Choice: only the request gets the whole address; everything else gets this form of it. Price: two
/// addresses that differ in nothing but these parts are one source. A secret within the path cannot be recognised.
public enum WebAddress {
    /// `address` without user and password, and with ``replacement`` for the value of every parameter that is named
    /// like a key, a token or a password. Text that is no address stays as it is.
    public static func redacted(_ address: String) -> String {
        guard let mark = address.firstRange(of: "://") else { return address }
        let rest = address[mark.upperBound...]
        let host = rest[hostStart(in: rest)...]
        let end = host.firstIndex { "?#".contains($0) } ?? host.endIndex
        return address[..<mark.upperBound] + host[..<end] + redactedParameters(host[end...])
    }

    /// `text` with every address in it redacted.
    public static func redactedText(_ text: String) -> String {
        guard text.contains("://") else { return text }
        return pieces(of: text[...], between: "\"'<>") { $0.isWhitespace }.map { redacted(String($0)) }.joined()
    }

    /// What stands for the value of a parameter.
    public static let replacement = "redacted"

    /// Where the host begins: after the last `@` of the authority (RFC 3986, 3.2).
    ///
    /// A password with a raw `/` ends the authority too early, and leaves a port that is no number.
    private static func hostStart(in rest: Substring) -> Substring.Index {
        let authority = rest.prefix { !"/?#\\".contains($0) }
        if let sign = authority.lastIndex(of: "@") { return rest.index(after: sign) }
        let port = authority.last == "]" ? "" : authority.split(separator: ":").dropFirst().last ?? ""
        guard !port.allSatisfy(\.isNumber), let sign = rest.lastIndex(of: "@") else { return rest.startIndex }
        return rest.index(after: sign)
    }

    private static func redactedParameters(_ text: Substring) -> String {
        pieces(of: text, between: "?#&;").map { piece in
            guard let sign = piece.firstIndex(of: "="), isSecret(piece[..<sign]) else { return String(piece) }
            let value = piece[piece.index(after: sign)...]
            return piece[...sign] + (value.isEmpty ? "" : replacement)
        }.joined()
    }

    /// Whether a parameter called `name` gives access: `apikey`, `access_token`, `X-Amz-Signature`.
    private static func isSecret(_ name: Substring) -> Bool {
        let plain = decoded(name).lowercased().filter { $0.isLetter }
        return ["user", "username", "sig", "sas", "sid", "pw"].contains(plain)
            || secretEndings.contains { plain.hasSuffix($0) }
    }

    /// `name` with percent-encoded bytes decoded (RFC 3986, 2.1).
    private static func decoded(_ name: Substring) -> String {
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            let digits = part.utf8.prefix(2)
            if digits.count == 2, let byte = UInt8(String(Substring(digits)), radix: 16) {
                bytes += [byte] + part.utf8.dropFirst(2)
            } else {
                bytes += Array("%\(part)".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let secretEndings = [
        "key", "keyid", "token", "secret", "password", "passwd", "passphrase", "pass", "pwd", "signature",
        "credential", "credentials", "auth", "authorization", "session", "sessionid", "jwt",
    ]

    /// The parts of `text` before, between and after the `separators`, and the separators themselves.
    private static func pieces(
        of text: Substring, between separators: String, or isSeparator: (Character) -> Bool = { _ in false }
    ) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        for index in text.indices where separators.contains(text[index]) || isSeparator(text[index]) {
            pieces += [text[start..<index], text[index...index]]
            start = text.index(after: index)
        }
        return pieces + [text[start...]]
    }
}
