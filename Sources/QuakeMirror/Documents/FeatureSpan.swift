/// The location of one feature, or of one row of CSV, in the bytes of a document.
package struct FeatureSpan: Hashable, Sendable {
    package var range: Range<Int>
    /// The range between the quotes of the feature's `id`, if there is one.
    package var idRange: Range<Int>?
    /// A hash of the bytes, and of the header of CSV, equal for equal bytes in every run of this version of the program.
    package var hash: Int64

    /// Whether the feature is so much larger than any published feature that it is skipped.
    package var isTooLarge: Bool { range.count > FeatureSpan.mostBytes }

    /// The size of the largest feature that is read.
    package static let mostBytes = 64 << 10

    /// Whether the feature is larger than any published feature, so that reading it may take longer than writing its
    /// quake.
    package var isUnusuallyLarge: Bool { range.count > 4 << 10 }

    /// Makes the hash depend on that of `row` as well, so that the feature counts as changed whenever `row` has changed.
    mutating func combineHash(withThatOf row: FeatureSpan) {
        let combined = hash &* 0x2545_F491_4F6C_DD1D ^ row.hash
        // 0 means "unknown" in the store.
        hash = combined == 0 ? 1 : combined
    }
}
