import Foundation
import QuakeModel

/// Quakes rendered in the plainest way: model values, concatenated strings, the C library's calendar.
struct PlainRendering {
    let fields: [QuakeProperty]

    func commaSeparated(_ quakes: [Quake]) -> String {
        lines(quakes, separator: ",") { text in
            guard text.isEmpty || text.unicodeScalars.contains(where: { "\",\n\r".unicodeScalars.contains($0) }) else {
                return text
            }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
    }

    func tabSeparated(_ quakes: [Quake]) -> String {
        lines(quakes, separator: "\t") { text in
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "\\": "\\\\"
                case "\t": "\\t"
                case "\n": "\\n"
                case "\r": "\\r"
                default: String(scalar)
                }
            }.joined()
        }
    }

    /// Returns the JSON members under the names of the fields.
    func members(_ quake: Quake) throws -> [String: ParsedJSON] {
        try Dictionary(
            uniqueKeysWithValues: fields.map { field in
                let value: ParsedJSON =
                    switch quake[field] {
                    case .null: .null
                    case .integer(let moment) where field.kind == .time: .text(Self.iso8601(moment))
                    case .integer(let number): .integer(number)
                    case .real(let number): Int64(exactly: number).map(ParsedJSON.integer) ?? .real(number)
                    case .text(let text) where field == .extra: try ParsedJSON(text)
                    case .text(let text) where [.ids, .sources, .types].contains(field):
                        .array(text.split(separator: ",").map { .text(String($0)) })
                    case .text(let text): .text(text)
                    }
                return (field.rawValue, value)
            })
    }

    private func lines(_ quakes: [Quake], separator: String, text: (String) -> String) -> String {
        let header = fields.map(\.rawValue).joined(separator: separator)
        let rows = quakes.map { quake in
            fields.map { field in
                switch quake[field] {
                case .null: ""
                case .integer(let moment) where field.kind == .time: Self.iso8601(moment)
                case .integer(let number): "\(number)"
                case .real(let number): Self.decimal(number)
                case .text(let value) where [.ids, .sources, .types].contains(field):
                    text(value.split(separator: ",").joined(separator: " "))
                case .text(let value): text(value)
                }
            }.joined(separator: separator)
        }
        return ([header] + rows).map { $0 + "\n" }.joined()
    }

    private static func iso8601(_ milliseconds: Int64) -> String {
        var seconds = time_t((Double(milliseconds) / 1000).rounded(.down))
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday,
            fields.tm_hour, fields.tm_min, fields.tm_sec, Int(milliseconds) - seconds * 1000)
    }

    /// Without an exponent if eight decimals suffice.
    private static func decimal(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return "\(whole)" }
        let written = Decimal(string: "\(number)").map { "\($0)" } ?? ""
        return "\(number)".contains("e") && written.count <= "-0.00000000".count ? written : "\(number)"
    }
}
