package import QuakeModel
import QuakeSystem

/// A change as environment variables for a command: `QUAKE_ID`, `QUAKE_MAG`, `QUAKE_BEFORE_MAG`, …
///
/// The names are those of template placeholders, in upper case. The values are those of `{NAME:raw}`, each on one line
/// and without control characters. A value is never part of the command itself, so text from a feed is never executed.
/// A value too long for the environment is cut, so that it cannot keep changes from reaching a consumer.
package struct ChangeVariables {
    /// Linux allows 128 KiB per variable and, with a stack limit of 8 MiB, 2 MiB for all of them.
    private static let mostBytes = 16 << 10

    private let pieces: [OutputTemplate.Segment]
    private let style: OutputStyle

    package init(style: OutputStyle) {
        self.style = style
        pieces = OutputTemplate.changePlaceholders.flatMap { name, placeholder -> [OutputTemplate.Segment] in
            let variable = name.uppercased().replacing(".", with: "_")
            return [.text("QUAKE_\(variable)="), .value(placeholder, .raw), .text("\n")]
        }
    }

    /// Returns the variables of `event` by name; empty if the event does not concern a quake.
    package func variables(of event: HistoryEvent) throws(OutputError) -> [String: String] {
        var bytes: [UInt8] = []
        let writer = ByteWriter { taken throws(OutputError) in bytes += taken }
        let remarks = StandardStream(descriptor: -1, isTerminal: false)
        let renderer = ChangesTemplateRenderer(OutputTemplate(pieces), writer: writer, remarks: remarks, style: style)
        try renderer.write(event)
        try writer.flush()
        // Splitting by characters would fail if the value began with a combining mark, which would merge with "=".
        let pairs = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> (String, String)? in
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (String(decoding: line[..<equals], as: UTF8.self), Self.cut(line[(equals + 1)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func cut(_ value: ArraySlice<UInt8>) -> String {
        guard value.count > mostBytes else { return String(decoding: value, as: UTF8.self) }
        let isContinuation = { (byte: UInt8) in byte & 0xC0 == 0x80 }
        let whole = value.prefix(mostBytes + 1).lastIndex { !isContinuation($0) } ?? value.startIndex
        return String(decoding: value[..<whole], as: UTF8.self)
    }
}
