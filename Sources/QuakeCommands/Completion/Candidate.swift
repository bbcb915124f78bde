import ArgumentParser
import QuakeModel
import QuakeSystem

/// A word that a completion offers, with a few words about it for shells that show them.
struct Candidate: Hashable {
    /// The word, neither quoted nor escaped.
    var text: String
    /// What it is. Shown by zsh and fish.
    var description: String?

    init(_ text: String, _ description: String? = nil) { (self.text, self.description) = (text, description) }

    /// The line that tells `shell` of the candidate; nil if its text cannot be offered, because a terminal or the
    /// shell would take it for something else.
    ///
    /// Texts come from the network and from other users of the cache. The scripts that ArgumentParser writes hand the
    /// lines on as follows.
    ///
    /// - bash: to `compgen -W`, which expands them like words of a command, `$(…)` included. So whatever is not plain
    ///   is put between quotes.
    /// - zsh: to `_describe`, for which a colon ends the text, and a backslash takes its meaning away.
    /// - fish: as they are; a tab ends the text.
    func line(for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: TerminalText.isUnsafe) else { return nil }
        let remark = description.map { DisplayWidth.fitted(TerminalText.sanitized($0), columns: 60) }
        switch shell {
        case .bash: return text.shellWord
        case .zsh:
            let escaped = Candidate.escapedForZsh(text)
            return remark.map { escaped + ":" + Candidate.escapedForZsh($0) } ?? escaped
        case .fish: return remark.map { text + "\t" + $0 } ?? text
        default: return text
        }
    }

    private static func escapedForZsh(_ text: String) -> String { text.replacing(["\\": #"\\"#, ":": #"\:"#]) }
}
