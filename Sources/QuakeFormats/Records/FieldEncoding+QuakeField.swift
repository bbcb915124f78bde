package import QuakeModel

extension FieldEncoding {
    /// The encoding of a field. `localTime` formats times in ``QuakeField/localTime``.
    package init(_ field: QuakeField, _ localTime: @escaping (Timestamp) -> String) {
        self =
            switch field {
            case .property(let property): FieldEncoding(property)
            case .localTime: .local(localTime)
            default: .plain
            }
    }
}
