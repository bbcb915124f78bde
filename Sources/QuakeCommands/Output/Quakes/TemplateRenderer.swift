import QuakeFormats
import QuakeModel

/// Writes a line for each quake according to a template.
final class TemplateRenderer: QuakeRenderer {
    private let template: OutputTemplate
    let fields: [QuakeField]
    private let writer: ByteWriter
    private let words: PlaceholderWords

    init(_ template: OutputTemplate, writer: ByteWriter, style: OutputStyle) {
        self.template = template
        self.writer = writer
        fields = template.fields
        words = PlaceholderWords(style)
    }

    func writeRow(_ field: (Int) -> FieldValue) {
        let values = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1, QuakeValue(copying: field($0))) })
        template.writeLine(to: writer) { placeholder, form in
            words.text(placeholder, placeholder.field.flatMap { values[$0] } ?? .null, as: form)
        }
    }
}
