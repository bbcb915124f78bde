import QuakeFiles
import QuakeModel

/// A map with a synchronized list, as one HTML file that makes no requests and therefore works offline.
///
/// Published texts cannot run as code: the page contains them as JSON and displays them as plain text. Its content
/// security policy allows only its own style sheet and script.
public struct HTMLMap: Sendable {
    public init() {}

    /// The maximum numbers of quakes in the picture and in the table for readers without JavaScript.
    static let plainLimit = 1000

    /// The SHA-256 hashes of the embedded style sheet and script, for the content security policy. A test compares them
    /// with the files and reports the correct values.
    static let styleHash = "vDstbLHtsGhli/AFumkkEzQp9rblHfQUfjP7/0VyZeo="
    static let scriptHash = "BsTxq8gN4lzJB/MGh/xX63S31HKpIMBlLjvQIt6UT+Q="

    /// Returns the page as UTF-8 text.
    public func document(_ picture: MapPicture) -> [UInt8] {
        var writer = PageWriter()
        var data = PageData(picture)
        writer.fill(bytes(quakeMapPageHTML())) { name, writer in
            switch name {
            case "title": writer.append(MarkupText.escaped(picture.title))
            case "headline": writer.append(MarkupText.escaped(picture.documentTitle))
            case "period": writer.append(MarkupText.escaped(picture.period.map { " · \($0)" } ?? ""))
            case "subtitle": writer.append(MarkupText.escaped(picture.subtitle))
            case "count": writer.append(picture.countText)
            case "policy":
                writer.append(
                    "default-src 'none'; style-src 'sha256-\(Self.styleHash)'; script-src 'sha256-\(Self.scriptHash)'; "
                        + "base-uri 'none'; form-action 'none'")
            case "style": writer.bytes += PageCode.shortened(style: bytes(quakeMapPageCSS()))
            case "script": writer.bytes += PageCode.shortened(script: bytes(quakeMapPageJS()))
            case "history": writer.bytes += data.history()
            case "saved": writer.bytes += data.saved()
            case "nothing": writer.append(MarkupText.escaped(picture.emptiness.joined(separator: " ")))
            case "data": writer.bytes += data.main()
            case "fine": writer.bytes += Outlines.packedText(.fine)
            case "places": writer.bytes += bytes(quakeMapPlaces())
            case "picture": writer.append(SVGMap(hasPlainGround: true).document(largest(of: picture)))
            case "sources": writer.append(MarkupText.escaped(MapSources.sentence))
            case "rows": plainRows(picture, &writer)
            default: break
            }
        }
        return writer.bytes
    }

    /// Returns the picture for readers without JavaScript, limited to the largest quakes.
    private func largest(of picture: MapPicture) -> MapPicture {
        var picture = picture
        let order = picture.ascendingMagnitudes
        guard order.count > HTMLMap.plainLimit else { return picture }
        picture.extent = picture.bounds
        picture.subtitle += " · the \(HTMLMap.plainLimit.grouped) largest of \(picture.countText)"
        picture.quakes = order.suffix(HTMLMap.plainLimit).map { picture.quakes[$0] }
        return picture
    }

    private func bytes(_ file: QuakeFile) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: file.bytes, count: file.count)
    }

    /// Writes the rows of the table for readers without JavaScript, leaving out tags that HTML does not require.
    private func plainRows(_ picture: MapPicture, _ writer: inout PageWriter) {
        for quake in picture.quakes.prefix(HTMLMap.plainLimit) {
            let depth = quake.hypocenter.depthKilometers.map { PlainNumber.text($0, decimals: 1) } ?? ""
            writer.append("<tr><td>\(quake.originTime.minuteWords)<td>")
            writer.append(quake.magnitude.map(Quake.titleMagnitude) ?? "")
            writer.append(
                "<td>\(depth)<td>\(MarkupText.escaped(quake.describedPlace ?? ""))<td>\(MarkupText.escaped(quake.id))")
        }
        let left = picture.quakes.count - HTMLMap.plainLimit
        if left > 0 { writer.append("<tr><td colspan=5>and \(left.grouped) more (JavaScript required)\n") }
    }
}

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
