/// A feature, or a part of a quake's solutions, that could not be read, and the reason.
public struct SkippedFeature: Hashable, Sendable, Encodable {
    /// The feature's position in the document, counted from 1; in CSV, the line on which its row begins. In a quake's
    /// solutions, the position of the version among the versions of its product type; 0 if the defect is not in a
    /// single version.
    public var position: Int
    /// The feature's id; nil if the id is unreadable. In a quake's solutions, the name of the unreadable part.
    public var id: String?
    /// The defect that makes the feature unreadable.
    public var defect: FeatureDefect
    /// Whether the position is a line.
    package var isLine = false
}

extension SkippedFeature {
    /// The position and id of the feature, with its defect.
    package var words: String {
        let name = position == 0 ? id ?? "" : "\(isLine ? "line" : "entry") \(position)\(id.map { " (\($0))" } ?? "")"
        return "\(name): \(defect.words)"
    }
}
