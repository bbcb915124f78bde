import QuakeModel

/// Reads the place of a row for people: an event that is not an earthquake says so, as ``/QuakeModel/Quake/describedPlace`` does.
struct PlaceReader {
    private let placeIndex: Int?
    private let typeIndex: Int?

    /// The fields to fetch so that places of `fields` can say what they are the places of.
    static func fields(for fields: [QuakeField]) -> [QuakeField] {
        let needsType = fields.contains(.property(.place)) && !fields.contains(.property(.type))
        return needsType ? fields + [.property(.type)] : fields
    }

    /// A reader of rows with what ``fields(for:)`` says. Where the type is among those that are `shown`, the place does
    /// not repeat it.
    init(_ fields: [QuakeField], shown: some Collection<QuakeField>) {
        placeIndex = fields.firstIndex(of: .property(.place))
        typeIndex =
            shown.contains(.property(.type)) ? nil : PlaceReader.fields(for: fields).firstIndex(of: .property(.type))
    }

    /// The place of an event that is not an earthquake, if the field at `index` is the place; nil if the field can be shown as it is.
    func place(at index: Int, _ field: (Int) -> FieldValue) -> String? {
        guard index == placeIndex, let typeIndex, case .text(let type) = field(typeIndex),
            let kind = Quake.kind(ofType: String(decoding: type, as: UTF8.self))
        else { return nil }
        guard case .text(let name) = field(index) else { return Quake.place(nil, ofKind: kind) }
        return Quake.place(String(decoding: name, as: UTF8.self), ofKind: kind)
    }
}
