import QuakeFiles
import QuakeModel

/// A map with a synchronized list, as one HTML file that makes no requests and therefore works offline.
///
/// Text in the data cannot run as code: the page embeds it as JSON and displays it as plain text. The content security
/// policy of the page allows only its own style sheet and script.
public struct HTMLMap: Sendable {
    public init() {}

    /// The maximum number of quakes in the picture, and of rows in the table, for readers without JavaScript.
    static let plainLimit = 1000

    /// The SHA-256 hashes of the embedded style sheet and script, for the content security policy. A test compares them
    /// with the files and reports the correct values.
    static let styleHash = "ZFSs3BtsCbhLRGUTddrbB1p6y23Wkis9qLGcSLsf/u4="
    static let scriptHash = "5I4FsBayaiM1NL9bVExIdPUFLUvdkcuf+JBTGxTQec4="

    /// Returns the page as UTF-8 text.
    public func document(_ content: MapContent) -> [UInt8] {
        var writer = PageWriter()
        var data = PageData(content)
        writer.fill(bytes(quakeMapPageHTML())) { name, writer in
            switch name {
            case "title": writer.append(MarkupText.escaped(content.title))
            case "headline": writer.append(MarkupText.escaped(content.pageTitle))
            case "period": writer.append(MarkupText.escaped(content.period.map { " · \($0)" } ?? ""))
            case "subtitle": writer.append(MarkupText.escaped(content.subtitle))
            case "count": writer.append(content.countText)
            case "policy":
                writer.append(
                    "default-src 'none'; style-src 'sha256-\(Self.styleHash)'; script-src 'sha256-\(Self.scriptHash)'; "
                        + "base-uri 'none'; form-action 'none'")
            case "style": writer.bytes += Minifier.minified(style: bytes(quakeMapPageCSS()))
            case "script": writer.bytes += Minifier.minified(script: bytes(quakeMapPageJS()))
            case "history": writer.bytes += data.historyBlock()
            case "saved": writer.bytes += data.savedBlock()
            case "nothing": writer.append(MarkupText.escaped(content.sentencesIfEmpty.joined(separator: " ")))
            case "data": writer.bytes += data.mainBlock()
            case "fine": writer.bytes += Outlines.packedText(.fine)
            case "places": writer.bytes += bytes(quakeMapPlaces())
            case "picture": writer.append(SVGMap(hasSimpleBackground: true).document(largestQuakes(of: content)))
            case "credits": writer.append(MarkupText.escaped(MapCredits.sentence))
            case "rows": plainRows(content, &writer)
            default: break
            }
        }
        return writer.bytes
    }

    /// Returns the content of the picture for readers without JavaScript, limited to the largest quakes.
    private func largestQuakes(of content: MapContent) -> MapContent {
        var content = content
        let order = content.ascendingMagnitudes
        guard order.count > HTMLMap.plainLimit else { return content }
        content.extent = content.bounds
        content.subtitle += " · the \(HTMLMap.plainLimit.grouped) largest of \(content.countText)"
        content.quakes = order.suffix(HTMLMap.plainLimit).map { content.quakes[$0] }
        return content
    }

    private func bytes(_ file: QuakeFile) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: file.bytes, count: file.count)
    }

    /// Writes the rows of the table for readers without JavaScript, leaving out tags that HTML does not require.
    private func plainRows(_ content: MapContent, _ writer: inout PageWriter) {
        for quake in content.quakes.prefix(HTMLMap.plainLimit) {
            let depth = quake.hypocenter.depthKilometers.map { PlainNumber.text($0, decimals: 1) } ?? ""
            writer.append("<tr><td>\(quake.originTime.minuteWords)<td>")
            writer.append(quake.magnitude.map(Quake.titleMagnitude) ?? "")
            writer.append(
                "<td>\(depth)<td>\(MarkupText.escaped(quake.describedPlace ?? ""))<td>\(MarkupText.escaped(quake.id))")
        }
        let left = content.quakes.count - HTMLMap.plainLimit
        if left > 0 { writer.append("<tr><td colspan=5>and \(left.grouped) more (JavaScript required)\n") }
    }
}

/// Writes a page as UTF-8 text.
struct PageWriter {
    var bytes: [UInt8] = []

    mutating func append(_ text: String) { bytes += text.utf8 }

    /// Copies a template, calling `value` to write the content for each `{{name}}`.
    mutating func fill(_ template: UnsafeBufferPointer<UInt8>, _ value: (_ name: String, inout PageWriter) -> Void) {
        let parts = template.split(separator: "{{".utf8, omittingEmptySubsequences: false)
        bytes += parts[0]
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != UInt8(ascii: "}") }
            value(String(decoding: name, as: UTF8.self), &self)
            bytes += part.dropFirst(name.count + 2)
        }
    }
}
