enum JSONByte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let space = UInt8(ascii: " ")
    static let null: StaticString = "null"

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Returns whether a byte in a string stands for itself: printable ASCII that is not an escape.
    static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) && byte != backslash }

    /// Returns whether a byte may be part of a number or of `true`, `false`, `null`.
    static func isLiteral(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."z", "A"..."Z", "-", "+", ".": true
        default: false
        }
    }
}
