extension RangeSet<Timestamp> {
    init(_ range: Range<Timestamp>) { self.init([range].filter { !$0.isEmpty }) }

    /// Creates a range of one millisecond for each of `moments`.
    package init(instants moments: Set<Timestamp>) {
        self.init(moments.sorted().map { $0..<$0 + .milliseconds(1) })
    }

    /// The UTC days that these times overlap.
    var wholeDays: RangeSet<Timestamp> {
        RangeSet(ranges.map { $0.lowerBound.day.lowerBound..<($0.upperBound - .milliseconds(1)).day.upperBound })
    }
}

extension Timestamp {
    /// The UTC day that contains this time.
    var day: Range<Timestamp> {
        let length: Int64 = 86_400_000
        let past = milliseconds % length
        let start = Timestamp(milliseconds: milliseconds - (past < 0 ? past + length : past))
        return start..<start + .milliseconds(length)
    }
}
