/// The script and style sheet as embedded in a page, without indentation, empty lines and comments.
enum PageCode {
    static func shortened(_ file: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var code: [UInt8] = []
        var isInComment = false
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            if isInComment || text.starts(with: "/*".utf8) {
                let commentEnd = text.indices.first { text[$0...].starts(with: "*/".utf8) }.map { $0 + 2 }
                isInComment = commentEnd == nil
                // Code may follow the comment on the same line, as after a type annotation.
                if commentEnd == nil || commentEnd == text.endIndex { continue }
            }
            if text.isEmpty || text.starts(with: "//".utf8) { continue }
            code += text
            code.append(UInt8(ascii: "\n"))
        }
        return code
    }
}
