import QuakeFormats
import QuakeModel

/// The text for placeholders of a change.
struct ChangeTexts {
    private let style: OutputStyle
    private let words: PlaceholderWords
    /// The properties whose values before a change appear in the same line.
    private let compared: Set<QuakeProperty>

    init(_ style: OutputStyle, compared: Set<QuakeProperty> = []) {
        self.style = style
        self.compared = compared
        words = PlaceholderWords(style)
    }

    /// Returns the text of `placeholder` for `quake`, as it is after a change; in a resync, there is no change.
    func text(
        _ placeholder: OutputTemplate.Placeholder, as form: OutputTemplate.Form, of quake: Quake,
        _ relevant: RelevantChange?
    ) -> String {
        switch placeholder {
        case .before(let property):
            let value = relevant?.change.before?[property] ?? .null
            return words.text(.field(.property(property)), value, as: form, toCompareWith: quake[property])
        case .change(let part): return form.text(ofWords: text(part, relevant))
        case .field, .age, .headline, .compass:
            let value = placeholder.field.map { words.value(of: $0, of: quake) } ?? .null
            let property = placeholder.field?.property.flatMap { compared.contains($0) ? $0 : nil }
            let former = property.flatMap { relevant?.change.before?[$0] }
            return words.text(placeholder, value, as: form, toCompareWith: former)
        }
    }

    /// Returns the part of a change. In a resync, it is nil, except for `op`, `reason` and `what`.
    private func text(_ part: OutputTemplate.ChangePart, _ relevant: RelevantChange?) -> String? {
        guard let relevant else {
            return switch part {
            case .op: "insert"
            case .reason: "resync"
            case .what: "present"
            case .token, .changed, .differences, .changeID: nil
            }
        }
        return switch part {
        case .op: relevant.operation.rawValue
        case .reason: relevant.change.reason.rawValue
        case .token: relevant.token?.description
        case .changeID: "\(relevant.change.id)"
        case .changed: relevant.change.changed.map(\.rawValue).joined(separator: ", ")
        case .what: told(relevant).word
        case .differences: told(relevant).allDifferences
        }
    }

    private func told(_ relevant: RelevantChange) -> ChangeWords {
        ChangeWords(
            relevant.change, operation: relevant.operation, survivor: style.survivor(of: relevant.change),
            unit: style.display.unit)
    }
}
