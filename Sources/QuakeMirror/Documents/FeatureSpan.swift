/// The location of one feature, or of one row of CSV, in the bytes of a document.
package struct FeatureSpan: Hashable, Sendable {
    // Positions and lengths fit in 32 bits, because a document has at most 1 GiB. They take half the memory of ranges,
    // which matters for CSV rows of 150 bytes.
    private let start: UInt32
    private let count: UInt32
    private let idStart: UInt32
    /// The number of bytes of the id; `UInt32.max` if there is no id.
    private let idCount: UInt32
    /// A hash of the bytes and, in CSV, of the header. Equal bytes have equal hashes in every run of this version of
    /// the program.
    package private(set) var hash: Int64

    init(range: Range<Int>, idRange: Range<Int>?, hash: Int64) {
        start = UInt32(range.lowerBound)
        count = UInt32(range.count)
        idStart = UInt32(idRange?.lowerBound ?? 0)
        idCount = idRange.map { UInt32($0.count) } ?? .max
        self.hash = hash
    }

    package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// The range of the id of the feature or row, without quotation marks; nil if there is no id.
    package var idRange: Range<Int>? {
        idCount == .max ? nil : Int(idStart)..<Int(idStart) + Int(idCount)
    }

    /// Whether the feature is so much larger than any published feature that it is skipped.
    package var isTooLarge: Bool { range.count > FeatureSpan.maximumBytes }

    /// The maximum size in bytes of a feature that is read.
    package static let maximumBytes = 64 << 10

    /// Whether the feature is larger than any published feature, so that decoding it may take longer than writing its
    /// quake.
    package var isUnusuallyLarge: Bool { range.count > 4 << 10 }

    /// Combines the hash with the hash of `row`, so that the feature counts as changed whenever `row` has changed.
    mutating func combineHash(withThatOf row: FeatureSpan) { hash = ByteHash.combine(hash, row.hash) }
}
