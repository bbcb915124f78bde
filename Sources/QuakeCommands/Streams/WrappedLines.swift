import QuakeModel

/// Writes text for people. On a terminal, long text continues on the next line, indented to where it began. Elsewhere,
/// it stays on one line. A word longer than a line, such as a URL, is not broken, so that it can be copied.
struct WrappedLines {
    private static let minimumTextWidth = 20

    private let writer: ByteWriter
    private let columns: Int?

    /// Creates a writer of lines that are wrapped at `columns` terminal columns; nil for no wrapping.
    init(_ writer: ByteWriter, columns: Int?) {
        self.writer = writer
        self.columns = columns
    }

    /// Appends `text` after `label`, with unsafe characters replaced. With `isWhole`, the text is not wrapped, so that
    /// a command can be copied.
    func append(label: String = "", _ text: String, color: String? = nil, isWhole: Bool = false) {
        let safe = TerminalText.sanitized(text)
        let indent = DisplayWidth.columns(of: label)
        let room = isWhole ? nil : columns.map { max($0 - indent, Self.minimumTextWidth) }
        for (index, line) in Self.split(safe, columns: room).enumerated() {
            writer.append(index == 0 ? label : String(repeating: " ", count: indent))
            writer.append(in: color) { writer.append(line) }
            writer.append("\n")
        }
    }

    /// Returns the lines of `text`, broken at spaces. Text in backquotes is a command to copy, so it is not broken.
    static func split(_ text: String, columns: Int?) -> [String] {
        guard let columns, DisplayWidth.columns(of: text) > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        var isQuoted = false
        let words = text.split(omittingEmptySubsequences: false) { character in
            if character == "`" { isQuoted.toggle() }
            return character == " " && !isQuoted
        }
        for word in words {
            if !line.isEmpty, DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: String(word)) > columns {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " \(word)"
            }
        }
        return lines + [line]
    }
}
