import QuakeModel

/// The rule for texts that describe: authors, names of consumers, origins of transactions.
///
/// A text with U+0000 is never stored, because C programs would see only what stands before it: values of quakes are
/// refused (``QuakeModel/Quake``, `requireStorable`), and so are the texts that a program passes. From texts that come
/// with a document, ``Statement`` leaves the character out.
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
