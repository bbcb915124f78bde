/// The location of one feature, or of one row of CSV, in the bytes of a document.
package struct FeatureSpan: Hashable, Sendable {
    // A document has at most 1 GiB. These numbers need half the memory of ranges, which matters for rows of 150 bytes.
    private let start: UInt32
    private let count: UInt32
    private let idStart: UInt32
    /// The number of bytes of the id; the largest number if there is no id.
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

    /// The range between the quotes of the feature's `id`, or of the row's field; nil if there is none.
    package var idRange: Range<Int>? {
        idCount == .max ? nil : Int(idStart)..<Int(idStart) + Int(idCount)
    }

    /// Whether the feature is so much larger than any published feature that it is skipped.
    package var isTooLarge: Bool { range.count > FeatureSpan.maximumBytes }

    /// The size of the largest feature that is read.
    package static let maximumBytes = 64 << 10

    /// Whether the feature is larger than any published feature, so that reading it may take longer than writing its
    /// quake.
    package var isUnusuallyLarge: Bool { range.count > 4 << 10 }

    /// Makes the hash depend on that of `row`, too, so that the feature counts as changed whenever `row` has changed.
    mutating func combineHash(withThatOf row: FeatureSpan) { hash = ByteHash.combine(hash, row.hash) }
}
