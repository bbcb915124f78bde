extension String {
    /// Whether the text is empty or only white space, for example because a script forgot to set a variable.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension StringProtocol {
    /// This text without leading and trailing spaces.
    var trimmingSpaces: SubSequence { trimming { $0 == " " } }

    /// Returns this text without the leading and trailing characters for which `isTrimmed` is true.
    func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
        let start = firstIndex { !isTrimmed($0) } ?? endIndex
        let end = self[start...].lastIndex { !isTrimmed($0) }.map(index(after:)) ?? start
        return self[start..<end]
    }
}
