import QuakeModel

/// Finds the regions of places. Each last part of a name is looked up once, as most quakes of a list share a few.
final class RegionReader {
    private let texts = HeldTexts()
    /// The regions of the last parts seen so far.
    private var known: [String: FieldValue] = [:]

    func regions(of place: FieldValue) -> FieldValue {
        guard case .text(let name) = place else { return .null }
        let part = Region.lastPart(of: String(decoding: name, as: UTF8.self))
        if let field = known[part] { return field }
        let field = texts.field(Region.names(ofPart: part).joined(separator: ", "))
        known[part] = field
        return field
    }
}
