public import FoundationEssentials

extension Timestamp {
    /// The whole millisecond nearest to `date`. A date that 64 bits cannot count in milliseconds becomes the first or
    /// the last moment they can, and one that is not a number the first.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
}

extension Date {
    /// The date of `moment`.
    public init(_ moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }
}
