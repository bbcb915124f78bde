extension String {
    /// The text as one shell word, quoted if necessary.
    package var shellWord: String {
        let isPlain =
            !isEmpty && first != "="  // zsh takes =ls for the path of ls.
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "/._-+:,@%=".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'" + replacing(["'": #"'\''"#]) + "'"
    }
}

extension String {
    /// Returns the text with the scalars in `others` replaced. Works on scalars, because a quote followed by a
    /// combining mark is one `Character`, which is not equal to the quote.
    package func replacing(_ others: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if let other = others[scalar] { result += other } else { result.unicodeScalars.append(scalar) }
        }
    }
}
