import Glibc
import QuakeModel

/// Asks on the terminal for confirmation before quakes are deleted or replaced.
enum ConfirmationPrompt {
    static func isConfirmed(_ question: String) -> Bool {
        let lines = question.split(separator: "\n").map { TerminalText.sanitized(String($0)) }
        print(lines.joined(separator: "\n"), terminator: " [y/N] ")
        fflush(nil)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
