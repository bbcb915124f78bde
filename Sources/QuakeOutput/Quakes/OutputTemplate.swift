package import QuakeModel

/// A line of output with placeholders, such as `{mag} {place} ({age})`.
package struct OutputTemplate: Hashable, Sendable {
    /// What a placeholder stands for.
    package enum Placeholder: Hashable, Sendable {
        case field(QuakeField)
        /// How long ago the quake happened: `8 min ago`.
        case age
        /// The title, without the dash before a missing place.
        case headline
        /// The bearing as a word: `NNW`.
        case compass
        /// A value before the change.
        case before(QuakeProperty)
        case change(ChangePart)

        /// The field that must be known.
        package var field: QuakeField? {
            switch self {
            case .field(let field): field
            case .age: .property(.time)
            case .headline: .property(.title)
            case .compass: .bearing
            case .before, .change: nil
            }
        }
    }

    /// What a template can say about a change, apart from the quake.
    package enum ChangePart: String, CaseIterable, Sendable {
        case op, reason, token, changed, what, differences
        case changeID = "change_id"
    }

    /// A piece of the line.
    package enum Piece: Hashable, Sendable {
        case text(String)
        case value(Placeholder)
    }

    package let pieces: [Piece]

    /// The fields that the placeholders need, each once.
    package var fields: [QuakeField] {
        var fields: [QuakeField] = []
        for case .value(let placeholder) in pieces {
            if let field = placeholder.field, !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    /// The name of a placeholder that needs a reference point; nil if there is none.
    package var relativeName: String? {
        for case .value(let placeholder) in pieces where placeholder.field?.isRelative == true {
            return placeholder == .compass ? "compass" : placeholder.field?.name
        }
        return nil
    }

    /// A line of `pieces`.
    package init(_ pieces: [Piece]) {
        self.pieces = pieces
    }
}
