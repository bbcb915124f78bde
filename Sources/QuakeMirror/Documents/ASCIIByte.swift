/// The bytes that structure JSON and CSV.
enum ASCIIByte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let space = UInt8(ascii: " ")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let null: StaticString = "null"
    /// The byte order mark of UTF-8, which some editors write at the start of a file. It is not ASCII.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    static func endsLine(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

    /// Returns whether a byte in a JSON string needs no decoding: printable ASCII other than a backslash.
    static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) && byte != backslash }

    /// Returns whether a byte may be part of a decimal number.
    static func isDecimal(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "-", "+", ".", "e", "E": true
        default: false
        }
    }

    /// Returns whether a byte may be part of a number or of a word such as `true`: a letter, digit, sign or period.
    static func isLiteral(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "0"..."9", "a"..."z", "A"..."Z", "-", "+", ".": true
        default: false
        }
    }
}
