package import QuakeModel

/// Fields of a record that are computed from the quake.
package struct ComputedFields {
    package let fields: [QuakeField]
    /// Returns the value of one of ``fields``. Local time is text.
    package let value: (QuakeField, Quake) -> QuakeValue

    package init(_ fields: [QuakeField] = [], value: @escaping (QuakeField, Quake) -> QuakeValue = { _, _ in .null }) {
        self.fields = fields
        self.value = value
    }
}

extension JSONWriter {
    /// Writes a member for each computed field of `quake`; null values if `quake` is nil.
    package func members(_ computed: ComputedFields, of quake: Quake?) {
        for field in computed.fields { member(field.name, quake.map { computed.value(field, $0) } ?? .null) }
    }
}
