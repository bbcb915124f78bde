import QuakeModel
import QuakeSystem

extension String {
    /// This word of a command line, as repeated in a message: quoted for a shell, with any secrets in a URL removed.
    var shownWord: String {
        TerminalText.sanitized(WebAddress.mayHoldSecret(self) ? WebAddress.shortened(self) : shellWord)
    }
}
