/// Removes comments, indentation, and needless spaces and line ends from the script or style sheet of a page.
struct Minifier {
    private let source: [UInt8]
    private var position = 0
    private var code: [UInt8] = []
    /// The characters after which a space has no meaning.
    private let noSpaceNeededAfter: Set<UInt8>
    /// The characters before which a space has no meaning.
    private let noSpaceNeededBefore: Set<UInt8>
    private let isScript: Bool

    static func minified(script: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let punctuation = "{}()[];,<>=!?:&|*%+-/\"'`\n"
        var minifier = Minifier(
            script, noSpaceNeededAfter: punctuation, noSpaceNeededBefore: punctuation, isScript: true)
        return minifier.minified()
    }

    static func minified(style: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // A space before a colon separates an element from a pseudo-class of its descendants.
        var minifier = Minifier(style, noSpaceNeededAfter: "{};,:>", noSpaceNeededBefore: "{};,>", isScript: false)
        return minifier.minified()
    }

    private init(
        _ source: UnsafeBufferPointer<UInt8>, noSpaceNeededAfter: String, noSpaceNeededBefore: String, isScript: Bool
    ) {
        self.source = Array(source)
        self.noSpaceNeededAfter = Set(noSpaceNeededAfter.utf8)
        self.noSpaceNeededBefore = Set(noSpaceNeededBefore.utf8)
        self.isScript = isScript
    }

    private mutating func minified() -> [UInt8] {
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"): copySpace()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): copyQuoted()
            case UInt8(ascii: "`"): copyTemplate()
            case UInt8(ascii: "/") where startsComment: copySpace()
            case UInt8(ascii: "/") where isScript && startsPattern: copyPattern()
            default: copyByte()
            }
        }
        return code + [UInt8(ascii: "\n")]
    }

    private mutating func copyByte() {
        code.append(source[position])
        position += 1
    }

    /// Skips spaces, line ends and comments. Keeps one space or line end where it separates words or statements.
    private mutating func copySpace() {
        var hasLineEnd = false
        while position < source.count {
            if startsComment {
                let isLine = source[position + 1] == UInt8(ascii: "/")
                skip(past: isLine ? "\n" : "*/")
                hasLineEnd = hasLineEnd || isLine
            } else if [UInt8(ascii: " "), UInt8(ascii: "\n")].contains(source[position]) {
                hasLineEnd = hasLineEnd || source[position] == UInt8(ascii: "\n")
                position += 1
            } else {
                break
            }
        }
        guard let last = code.last, position < source.count else { return }
        let next = source[position]
        if isScript, hasLineEnd {
            // A statement may end at a line end only if neither neighbor continues it.
            let continues = "{;,([=?:&|".utf8.contains(last) || "}.,)]?:&|;".utf8.contains(next)
            if !continues { code.append(UInt8(ascii: "\n")) }
        } else if isSignPair(last, next) || !(noSpaceNeededAfter.contains(last) || noSpaceNeededBefore.contains(next)) {
            code.append(UInt8(ascii: " "))
        }
        if !isScript, next == UInt8(ascii: "}"), code.last == UInt8(ascii: ";") { code.removeLast() }
    }

    /// Whether two characters would become an increment or a decrement.
    private func isSignPair(_ one: UInt8, _ other: UInt8) -> Bool {
        "+-".utf8.contains(one) && "+-".utf8.contains(other)
    }

    private var startsComment: Bool {
        let rest = source[position...]
        return rest.starts(with: "/*".utf8) || isScript && rest.starts(with: "//".utf8)
    }

    private mutating func skip(past end: String) {
        while position < source.count, !source[position...].starts(with: end.utf8) { position += 1 }
        position = min(position + end.utf8.count, source.count)
    }

    private mutating func copyQuoted() {
        let quote = source[position]
        copyByte()
        while position < source.count, source[position] != quote {
            if source[position] == UInt8(ascii: "\\") { copyByte() }
            copyByte()
        }
        copyByte()
    }

    /// Copies a template literal unchanged, with the templates in its expressions.
    private mutating func copyTemplate() {
        copyByte()
        while position < source.count, source[position] != UInt8(ascii: "`") {
            let isExpression = source[position...].starts(with: "${".utf8)
            if source[position] == UInt8(ascii: "\\") { copyByte() }
            copyByte()
            if isExpression { copyExpression() }
        }
        copyByte()
    }

    private mutating func copyExpression() {
        var depth = 0
        repeat {
            switch source[position] {
            case UInt8(ascii: "`"): copyTemplate()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): copyQuoted()
            default:
                if source[position] == UInt8(ascii: "{") { depth += 1 }
                if source[position] == UInt8(ascii: "}") { depth -= 1 }
                copyByte()
            }
        } while depth > 0
    }

    /// Whether a regular expression begins here, not a division.
    private var startsPattern: Bool {
        guard let last = code.last(where: { $0 != UInt8(ascii: " ") }) else { return true }
        return "(,=:[!&|?{};\n".utf8.contains(last) || code.suffix(6).elementsEqual("return".utf8)
    }

    private mutating func copyPattern() {
        var isInClass = false
        repeat {
            if source[position] == UInt8(ascii: "\\") { copyByte() }
            if source[position] == UInt8(ascii: "[") { isInClass = true }
            if source[position] == UInt8(ascii: "]") { isInClass = false }
            copyByte()
        } while position < source.count && (isInClass || source[position] != UInt8(ascii: "/"))
        copyByte()
    }
}
