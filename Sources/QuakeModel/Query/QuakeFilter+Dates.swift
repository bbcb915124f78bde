public import FoundationEssentials

extension QuakeFilter {
    /// Creates a filter for the quakes from `since` up to, but not including, `until`.
    public init(minimumMagnitude: Double? = nil, since: Date, until: Date? = nil) {
        self.init(minimumMagnitude: minimumMagnitude, since: Timestamp(since), until: until.map { Timestamp($0) })
    }
}
