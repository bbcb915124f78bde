import QuakeModel

/// Writes text for people. On a terminal a long text continues on the next line, below its start; elsewhere it stays
/// one line. A word that is longer than a line, such as an address, is not broken, so that it can be copied.
package struct WrappedLines {
    private static let leastRoom = 20

    private let writer: ByteWriter
    private let columns: Int?

    /// Lines of at most `columns` columns; nil if nothing is wrapped.
    package init(_ writer: ByteWriter, columns: Int?) { (self.writer, self.columns) = (writer, columns) }

    /// Appends `text` after `label`, with unsafe characters replaced. `isWhole`: never wrapped, as commands to copy.
    package func append(label: String = "", _ text: String, color: StaticString? = nil, isWhole: Bool = false) {
        let safe = TerminalText.sanitized(text)
        let indent = DisplayWidth.columns(of: label)
        let room = isWhole ? nil : columns.map { max($0 - indent, Self.leastRoom) }
        for (index, line) in Self.split(safe, columns: room).enumerated() {
            writer.append(index == 0 ? label : String(repeating: " ", count: indent))
            writer.append(in: color) { writer.append(line) }
            writer.append("\n")
        }
    }

    /// The lines of `text`, broken at spaces. What stands between backquotes is a command to copy and stays whole.
    package static func split(_ text: String, columns: Int?) -> [String] {
        guard let columns, DisplayWidth.columns(of: text) > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        var isQuoted = false
        let words = text.split(omittingEmptySubsequences: false) { character in
            if character == "`" { isQuoted.toggle() }
            return character == " " && !isQuoted
        }
        for word in words {
            if !line.isEmpty, DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: word) > columns {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " \(word)"
            }
        }
        return lines + [line]
    }
}
