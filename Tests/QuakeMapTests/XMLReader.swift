/// Checks that a document is well-formed XML, to the extent that SVG maps use it: elements, attributes in double
/// quotes, character references. (Foundation's parser is a separate library on Linux.)
struct XMLReader {
    private(set) var isWellFormed = true
    private(set) var elements: Set<String> = []

    init(_ document: String) {
        var open: [Substring] = []
        var rest = document[...]
        while !rest.isEmpty {
            guard let start = rest.firstIndex(of: "<") else {
                isWellFormed = isWellFormed && rest.allSatisfy(\.isWhitespace)
                break
            }
            isWellFormed = isWellFormed && XMLReader.isText(rest[..<start])
            guard let tag = rest[start...].prefixMatch(of: /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>/)
            else {
                isWellFormed = false
                return
            }
            elements.insert(String(tag.2))
            isWellFormed = isWellFormed && XMLReader.isText(tag.3)
            if !tag.1.isEmpty {
                isWellFormed = isWellFormed && open.popLast() == tag.2
            } else if tag.4.isEmpty {
                open.append(tag.2)
            }
            rest = rest[tag.range.upperBound...]
        }
        isWellFormed = isWellFormed && open.isEmpty
    }

    private static func isText(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
            && text.ranges(of: "&").count == text.ranges(of: /&(amp|lt|gt|quot|#39);/).count
    }
}
