/// Redacts URLs before they are stored, compared or shown.
///
/// A URL may contain a user name, a password or a key, but other people may read the cache, its backups, error messages
/// and logs. Only the request uses the complete URL; everything else uses the redacted form. Two URLs that differ only
/// in the redacted parts denote the same source. A secret in the path is not recognized.
package enum WebAddress {
    /// Returns `address` without user name and password, and with ``replacement`` for the value of every parameter
    /// whose name suggests a key, token or password. Text without `://` is returned unchanged.
    package static func redacted(_ address: String) -> String {
        guard let mark = address.firstRange(of: "://") else { return address }
        // Many programs ignore extra slashes, so a password may follow them, too.
        let rest = address[mark.upperBound...].drop { "/\\".contains($0) }
        let host = rest[hostStart(in: rest)...]
        let end = marks(in: host).first { "?#;".contains($0.mark) }?.range.lowerBound ?? host.endIndex
        return address[..<rest.startIndex] + withoutWrongPort(host[..<end]) + redactedParameters(host[end...])
    }

    /// Returns the part of a possibly malformed URL, such as `http:/bob:s3cr3t@host/feed`, that is safe to show: `…`
    /// replaces the text before an `@` and after a `?`. Text with `://` is only redacted.
    package static func shortened(_ text: String) -> String {
        if text.contains("://") { return redacted(text) }
        let marks = marks(in: text[...])
        let query = marks.first { $0.mark == "?" }?.range
        let end = query?.lowerBound ?? text.endIndex
        let sign = marks.last { $0.mark == "@" && $0.range.upperBound <= end }?.range
        let shown = text[(sign?.upperBound ?? text.startIndex)..<end]
        return (sign == nil ? "" : "…@") + shown + (query == nil ? "" : "?…")
    }

    /// Whether `text` may be a URL, perhaps mistyped, with a password or key. Any text with `://` counts.
    package static func mayHoldSecret(_ text: String) -> Bool {
        if text.contains("://") { return true }
        let marks = marks(in: text[...]).map(\.mark)
        return marks.contains("@") && text.contains(":")
            || marks.firstIndex(of: "?").map { marks[$0...].contains("=") } ?? false
    }

    /// Whether `text` is an http or https URL with a host.
    package static func isAddress(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), ["http", "https"].contains(text[..<mark.lowerBound].lowercased())
        else { return false }
        let rest = text[mark.upperBound...]
        guard let first = rest.first, !"/?#\\".contains(first) else { return false }
        let authority = rest[hostStart(in: rest)...].prefix { !"/?#\\".contains($0) }
        let hasHost = authority.first.map { $0 != ":" } ?? false
        return hasHost && wrongPort(in: authority) == nil && !text.contains { $0.isWhitespace || $0 < " " }
    }

    /// Returns the reason for rejecting the URL `text`, in parentheses, if its port is invalid; otherwise an empty
    /// string. The text does not show a port that is not a number, which may be a password.
    package static func portFault(in text: String) -> String {
        guard let mark = text.firstRange(of: "://") else { return "" }
        let rest = text[mark.upperBound...]
        let authority = rest[hostStart(in: rest)...].prefix { !"/?#\\".contains($0) }
        guard wrongPort(in: authority) == nil else { return " (its port, not shown, is not a number)" }
        let port = authority.lastIndex(of: ":").flatMap { Int(authority[authority.index(after: $0)...]) }
        return port.map { (1...65_535).contains($0) } == false ? " (its port is not from 1 to 65535)" : ""
    }

    /// Returns `text` with every URL in it redacted, even if the scheme is missing, as in `user:password@proxy`.
    package static func redactedText(_ text: String) -> String {
        guard text.contains("://") || text.contains("@") else { return text }
        return text.replacing(/[^\s"'<>]+/) { match in
            let piece = String(match.output)
            let isBare = !piece.contains("://") && piece.contains("@") && piece.contains(":")
            return isBare ? shortened(piece) : redacted(piece)
        }
    }

    /// The text that replaces the value of a parameter.
    package static let replacement = "redacted"

    /// Returns the start of the host, after the last `@` of the authority (RFC 3986, 3.2).
    ///
    /// If a password contains an unescaped `/`, the authority appears to end there, with a port that is not a number.
    /// In this case, or if the authority is empty, everything before the last `@` may be a password.
    private static func hostStart(in rest: Substring) -> Substring.Index {
        let authority = rest.prefix { !"/?#\\".contains($0) }
        if let sign = authority.lastIndex(of: "@") { return rest.index(after: sign) }
        guard authority.isEmpty || wrongPort(in: authority) != nil else { return rest.startIndex }
        return marks(in: rest).last { $0.mark == "@" }?.range.upperBound ?? rest.startIndex
    }

    /// Returns the text after the last colon if it is not a port number and may thus be a password; otherwise nil.
    private static func wrongPort(in authority: Substring) -> Substring? {
        guard authority.last != "]", let colon = authority.lastIndex(of: ":") else { return nil }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy(\.isNumber) ? nil : port
    }

    private static func withoutWrongPort(_ host: Substring) -> String {
        let authority = host.prefix { !"/\\".contains($0) }
        guard let port = wrongPort(in: authority) else { return String(host) }
        return host[..<port.startIndex] + replacement + host[port.endIndex...]
    }

    private static func redactedParameters(_ text: Substring) -> String {
        var result = ""
        var start = text.startIndex
        // The start of the current value, if it is the value of a secret parameter.
        var secret: Substring.Index?
        func value(to end: Substring.Index) -> String {
            guard let secret, secret < end else { return String(text[start..<end]) }
            return text[start..<secret] + replacement
        }
        for (mark, range) in marks(in: text) where mark != "@" {
            if mark == "=" {
                if secret == nil, isSecret(text[start..<range.lowerBound]) { secret = range.upperBound }
            } else {
                result += value(to: range.lowerBound) + text[range]
                start = range.upperBound
                secret = nil
            }
        }
        return result + value(to: text.endIndex)
    }

    /// Returns the delimiters of a URL in `text`, even those that are percent-encoded once or several times, because an
    /// encoded query still contains its secrets.
    private static func marks(in text: Substring) -> [(mark: Character, range: Range<Substring.Index>)] {
        var marks: [(Character, Range<Substring.Index>)] = []
        var index = text.startIndex
        while index < text.endIndex {
            let start = index
            var character = text[index]
            index = text.index(after: index)
            if character == "%" {
                var digits = text[index...].prefix(2)
                while digits == "25" {
                    index = digits.endIndex
                    digits = text[index...].prefix(2)
                }
                guard digits.count == 2, let byte = UInt8(digits, radix: 16) else { continue }
                character = Character(Unicode.Scalar(byte))
                index = digits.endIndex
            }
            if "?#&;=@".contains(character) { marks.append((character, start..<index)) }
        }
        return marks
    }

    /// Whether a parameter called `name` grants access: `apikey`, `access_token`, `X-Amz-Signature`.
    private static func isSecret(_ name: Substring) -> Bool {
        let plain = decoded(name).lowercased().filter { $0.isLetter }
        return ["user", "username", "sig", "sas", "sid", "pw", "code", "bearer"].contains(plain)
            || secretEndings.contains { plain.hasSuffix($0) }
    }

    /// Returns `name` with percent-encoded bytes decoded (RFC 3986, 2.1).
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
}
