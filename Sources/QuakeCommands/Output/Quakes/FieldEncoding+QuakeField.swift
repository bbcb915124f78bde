import QuakeModel

extension FieldEncoding {
    init(_ field: QuakeField, _ style: OutputStyle) {
        self =
            switch field {
            case .property(let property): FieldEncoding(property)
            case .localTime: .local(style.display.time.secondWords)
            default: .plain
            }
    }
}
