import QuakeFormats
import QuakeModel

/// The text for the placeholders in a template of changes.
struct ChangeTexts {
    private let style: OutputStyle
    private let words: PlaceholderWords
    /// The properties whose old values appear in the same line.
    private let compared: Set<QuakeProperty>

    init(_ style: OutputStyle, compared: Set<QuakeProperty> = []) {
        self.style = style
        self.compared = compared
        words = PlaceholderWords(style)
    }

    /// Returns the text of `placeholder`. `quake` has the values after the change, or the last values of a deleted
    /// quake. `relevant` is nil in a resync.
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

    /// Returns the text for a part of a change. In a resync, only `op`, `reason` and `what` have text; the other parts
    /// are nil.
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
        case .what: changeWords(for: relevant).word
        case .differences: changeWords(for: relevant).allDifferences
        }
    }

    private func changeWords(for relevant: RelevantChange) -> ChangeWords {
        ChangeWords(
            relevant.change, operation: relevant.operation, survivor: style.survivor(of: relevant.change),
            unit: style.display.unit)
    }
}
