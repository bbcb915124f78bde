import Foundation

/// A JSON value as read by JSONDecoder. Numbers without a fraction are integers, however they are written.
enum ParsedJSON: Decodable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case array([ParsedJSON])
    case object([String: ParsedJSON])

    init(_ text: some StringProtocol) throws {
        self = try JSONDecoder().decode(ParsedJSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let real = try? value.decode(Double.self) {
            self = .real(real)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .integer(flag ? 1 : 0)
        } else if let array = try? value.decode([ParsedJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: ParsedJSON].self))
        }
    }
}
