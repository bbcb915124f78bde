import QuakeModel
import QuakeSystem

extension String {
    /// This word of a command line, as quoted in a message: escaped for a shell, without secrets in a URL.
    var shownWord: String {
        TerminalText.sanitized(WebAddress.mayHoldSecret(self) ? WebAddress.shortened(self) : shellWord)
    }
}
