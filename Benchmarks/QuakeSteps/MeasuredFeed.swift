public import FoundationEssentials
import QuakeMirror

/// The steps of reading a feed that Micro measures one by one; they are no part of a supported product.
public struct MeasuredFeed: Sendable {
    private let snapshot: FeedSnapshot

    /// Reads the document in `body` without decoding its features.
    public init(_ body: Data) throws {
        snapshot = try FeedSnapshot(body, source: "month")
    }

    /// How many features it has.
    public var featureCount: Int { snapshot.features.count }

    /// Decodes the features at `indices`, and calls `body` with the index of each.
    public func decode(_ indices: [Int], _ body: (Int) -> Void) {
        FeatureDecoder(snapshot, indices: indices).forEach { body($0.index) }
    }

    /// Finds the features in `body`, and returns how many there are.
    public static func scan(_ body: Data) throws -> Int {
        try FeatureScanner(body).features.count
    }
}
