import ArgumentParser
import QuakeModel
import QuakeSystem

/// A completion candidate, with a brief description for shells that show one.
struct Candidate: Hashable {
    /// The text, neither quoted nor escaped.
    var text: String
    /// A brief description, shown by zsh and fish.
    var description: String?

    init(_ text: String, _ description: String? = nil) {
        self.text = text
        self.description = description
    }

    /// Returns the line that offers the candidate to `shell`; nil if a terminal or the shell would misinterpret the
    /// text.
    ///
    /// The names of files may be shell code. The scripts that ArgumentParser generates process the lines as follows.
    ///
    /// - bash: Lines are passed to `compgen -W`, which expands them like words of a command, including `$(…)`. So any
    ///   text with special characters is quoted.
    /// - zsh: Lines are passed to `_describe`, where a colon ends the text and a backslash escapes the next character.
    /// - fish: Lines are used unchanged; a tab ends the text.
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
