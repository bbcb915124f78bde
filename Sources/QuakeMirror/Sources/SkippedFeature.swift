/// A feature that could not be read, and the reason.
public struct SkippedFeature: Hashable, Sendable, Encodable {
    /// The feature's position in the document, counted from 1; in CSV, the line in which its row begins.
    public var position: Int
    /// The feature's id; nil if the id is unreadable.
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
