extension String {
    /// The text as one shell word, quoted if necessary.
    package var shellWord: String {
        let isPlain =
            !isEmpty && first != "="  // zsh takes =ls for the path of ls.
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "/._-+:,@%=".contains($0) }
        return isPlain ? self : "'" + replacing(["'": #"'\''"#]) + "'"
    }

    /// Returns the text with the scalars in `others` replaced. Works on scalars, because a quote followed by a
    /// combining mark is one `Character`, which is not equal to the quote.
    package func replacing(_ others: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if let other = others[scalar] { result += other } else { result.unicodeScalars.append(scalar) }
        }
    }
}
