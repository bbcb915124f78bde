import QuakeModel

/// A name and its value in one call.
extension JSONWriter {
    /// Writes a member whose value is a text, or null.
    func member(_ name: String, _ text: String?) {
        key(name)
        value(text)
    }

    /// Writes a member whose value is an integer, or null.
    func member(_ name: String, _ number: (some BinaryInteger)?) {
        key(name)
        value(number)
    }

    /// Writes a member whose value is a number, or null.
    func member(_ name: String, _ number: Double?) {
        key(name)
        value(number)
    }

    /// Writes a member whose value is true, false or null.
    func member(_ name: String, _ truth: Bool?) {
        key(name)
        value(truth)
    }

    /// Writes a member whose value is a moment, or null.
    func member(_ name: String, _ moment: Timestamp?) {
        key(name)
        value(moment)
    }

    /// Writes a member whose value is an array of texts.
    func member(_ name: String, _ texts: some Sequence<String>) {
        array(name) { for text in texts { value(text) } }
    }

    /// Writes a member whose value is null.
    func nullMember(_ name: String) {
        key(name)
        null()
    }

    /// Writes a member whose value is an object that `body` fills.
    func object<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a member whose value is an array that `body` fills.
    func array<Failure: Error>(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        key(name)
        try array(body)
    }

    /// Writes a member for each of `properties`, under the feed's own name, with its value in `quake`.
    func members(_ properties: some Sequence<QuakeProperty>, of quake: Quake) {
        for property in properties {
            key(property.rawValue)
            value(quake[property], of: property)
        }
    }

    /// Writes a member whose value is `quake` as an object of `properties`, or null without a quake.
    func member(
        _ name: String, _ quake: Quake?, properties: some Sequence<QuakeProperty> = QuakeProperty.allCases
    ) {
        guard let quake else { return nullMember(name) }
        object(name) { members(properties, of: quake) }
    }
}
