import Glibc
import QuakeModel
import QuakeSystem

/// Finds arguments and environment variables that are not UTF-8. Swift would replace their invalid bytes with U+FFFD,
/// so a path would name another file, or two paths would become the same.
enum InvalidText {
    /// The environment variables that the program reads, besides those that begin with `QUAKES_`.
    static let variables: Set<String> = [
        "HOME", "XDG_DATA_HOME", "https_proxy", "http_proxy", "no_proxy", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "TMPDIR",
        "TZ", "TZDIR", "LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM",
        "COLUMNS", "LINES",
    ]

    /// A sentence about the first argument or variable of this process that is not UTF-8; nil if there is none.
    static var complaint: String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        if let argument = arguments.dropFirst().compactMap(\.self).first(where: { !isUTF8($0) }) {
            return "An argument is not UTF-8: \(TerminalText.sanitized(String(cString: argument)).shellWord)."
        }
        var place = environ
        while let entry = place.pointee {
            place += 1
            guard !isUTF8(entry), let name = String(cString: entry).split(separator: "=").first.map(String.init),
                name.hasPrefix("QUAKES_") || variables.contains(name)
            else { continue }
            return "The variable \(name) is not UTF-8."
        }
        return nil
    }

    private static func isUTF8(_ text: UnsafePointer<CChar>) -> Bool { String(validatingCString: text) != nil }
}
