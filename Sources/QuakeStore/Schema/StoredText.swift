/// The rules for descriptive strings: authors, consumer names, and transaction origins. A string that contains U+0000
/// is never stored, because C programs would truncate the string. In strings from documents, the character is removed
/// before they are stored.
enum StoredText {
    /// The maximum length of a name in bytes.
    private static let nameLimit = 1000

    /// Throws unless `name` is a single line, neither empty nor too long. The error names the `subject`, such as
    /// "author".
    static func requireName(_ name: String, of subject: String) throws(StoreError) {
        let fault: String? =
            if name.isEmpty {
                "it is empty"
            } else if name.utf8.count > nameLimit {
                "it has \(name.utf8.count) bytes, but at most \(nameLimit) are allowed"
            } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                "it contains a line break or another control character"
            } else {
                nil
            }
        if let fault { throw .unstorableText(of: subject, reason: fault) }
    }

    /// Throws if `text` contains U+0000. The error names the `subject`, such as "document's URL".
    static func requireText(_ text: String?, of subject: String) throws(StoreError) {
        guard text?.hasZeroByte == true else { return }
        throw .unstorableText(of: subject, reason: "it contains the character U+0000")
    }
}

extension Quake {
    /// Throws if a value cannot be stored, or would be read back as a different value. SQLite has no NaN and JSON has
    /// no infinity; a single such value would make the history unreadable.
    package func requireStorable() throws(StoreError) {
        for property in QuakeProperty.compared where !isStorable(property) {
            let value: String =
                switch self[property] {
                case .null: "null"
                case .integer(let integer): String(integer)
                case .real(let real): String(real)
                case .text(let text): text
                }
            throw .unstorable(id: id, property: property, value: value)
        }
    }

    private func isStorable(_ property: QuakeProperty) -> Bool {
        switch (property, self[property]) {
        case (_, .null): true
        case (.net, .text(let text)), (.code, .text(let text)): Quake.isPlainID(text)
        case (.extra, .text(let text)): !text.hasZeroByte && JSONText.isObject(text)
        // C programs that read the cache would see only the text before a zero byte.
        case (_, .text(let text)): !text.hasZeroByte && (!property.traits.isSet || PublishedSet(text).text == text)
        case (.lon, .real(let degrees)): (-180...180).contains(degrees)
        case (.lat, .real(let degrees)): (-90...90).contains(degrees)
        case (.depth, .real(let depth)): Hypocenter.possibleDepths.contains(depth)
        case (_, .real(let number)): number.isFinite
        case (_, .integer(let integer)):
            property.kind != .time || Timestamp.representable.contains(Timestamp(milliseconds: integer))
        }
    }
}
