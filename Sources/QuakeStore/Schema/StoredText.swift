import FoundationEssentials

/// The rule for texts that describe: authors, names of consumers, origins of transactions. A text with U+0000 is never
/// stored, because C programs would see only what stands before it; from texts that come with a document, ``Statement``
/// leaves the character out.
enum StoredText {
    /// How many bytes a name may have. The longest of a feed has some hundred.
    private static let nameLimit = 1000

    /// Throws unless `name`, that of a `subject` such as "author", is one line that is neither empty nor long.
    static func requireName(_ name: String, of subject: String) throws(StoreError) {
        let fault: String? =
            if name.isEmpty {
                "it is empty"
            } else if name.utf8.count > nameLimit {
                "it has \(name.utf8.count) bytes, and at most \(nameLimit) are stored"
            } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                "it has a line break or another control character"
            } else {
                nil
            }
        if let fault { throw .unstorableText(of: subject, reason: fault) }
    }

    /// Throws if `text`, of a `subject` such as "context", cannot be stored as it is.
    static func requireText(_ text: String?, of subject: String) throws(StoreError) {
        guard text?.hasZeroByte == true else { return }
        throw .unstorableText(of: subject, reason: "it has the character U+0000")
    }
}

extension Quake {
    /// Throws if a value could not be stored, or would be read back as another one: SQLite has no NaN, JSON no
    /// infinity, and one value of this kind would make the history unreadable.
    func requireStorable() throws(StoreError) {
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
        // C programs that read the cache would see only what stands before a zero byte.
        case (_, .text(let text)): !text.hasZeroByte && (!property.row.isSet || PublishedSet(text).text == text)
        case (.lon, .real(let degrees)): (-180...180).contains(degrees)
        case (.lat, .real(let degrees)): (-90...90).contains(degrees)
        case (.depth, .real(let depth)): Hypocenter.possibleDepths.contains(depth)
        case (_, .real(let number)): number.isFinite
        case (_, .integer(let integer)):
            property.kind != .time || Timestamp.representable.contains(Timestamp(milliseconds: integer))
        }
    }
}
