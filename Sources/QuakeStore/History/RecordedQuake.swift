import FoundationEssentials
import QuakeModel

/// A quake as the history keeps it: a JSON object of its stored values that are not null, named as the columns and in
/// the order of ``QuakeProperty/stored``, so that plain SQL can ask for them: `before ->> 'mag'`. Only this reads it
/// exactly: SQLite rounds numbers of more than 15 digits when it prints them.
struct RecordedQuake {
    let quake: Quake

    init(_ quake: Quake) { self.quake = quake }

    var json: String {
        var text = "{"
        for (property, name) in Self.members {
            let value: String
            switch quake[stored: property] {
            case .null: continue
            case .integer(let integer): value = String(integer)
            case .real(let real): value = "\(real)"
            case .text(let string): value = JSONText.quoted(string)
            }
            if text.utf8.count > 1 { text += "," }
            text += name
            text += value
        }
        return text + "}"
    }

    /// Reads what ``json`` wrote; nil for any other text, as in a damaged file.
    init?(json: UnsafeBufferPointer<UInt8>) {
        var (quake, rest) = (Quake.blank, json[...])
        guard rest.popFirst() == UInt8(ascii: "{"), json.last == UInt8(ascii: "}") else { return nil }
        for (property, name) in Self.members where rest.starts(with: name.utf8) {
            rest = rest.dropFirst(name.utf8.count)
            guard let end = Self.endOfValue(in: rest) else { return nil }
            let text = String(decoding: rest[..<end], as: UTF8.self)
            let value: QuakeValue? =
                switch property.kind {
                case .integer, .time: Int64(text).map { .integer($0) }
                case .real: Double(text).map { .real($0) }
                case .text where text.utf8.contains(UInt8(ascii: "\\")):
                    (try? JSONDecoder().decode(String.self, from: Data(text.utf8))).map { .text($0) }
                case .text: .text(String(text.dropFirst().dropLast()))
                }
            guard let value else { return nil }
            quake[stored: property] = value
            rest = rest[(end + 1)...]
        }
        guard rest.isEmpty, !quake.id.isEmpty else { return nil }
        self.quake = quake
    }

    /// Where the comma or the brace is that follows the value with which `rest` begins.
    private static func endOfValue(in rest: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard rest.first == UInt8(ascii: "\"") else {
            return rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
        }
        var index = rest.startIndex + 1
        while index < rest.endIndex - 1, rest[index] != UInt8(ascii: "\"") {
            index += rest[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < rest.endIndex - 1 ? index + 1 : nil
    }

    private static let members = QuakeProperty.stored.map { ($0, "\"\($0.rawValue)\":") }
}

extension Statement {
    /// The quake that a change keeps in `column`; nil where it keeps none. Throws where the file is damaged.
    func recordedQuake(_ column: Int32) throws(StoreError) -> Quake? {
        switch field(column) {
        case .text(let json):
            guard let recorded = RecordedQuake(json: json) else {
                throw .corrupt(path: path, reason: "recorded values of a change cannot be read")
            }
            return recorded.quake
        case .null, .integer, .real: return nil
        }
    }
}
