/// A solution version that became preferred, and the time at which it did.
public struct SolutionStep: Hashable, Sendable {
    /// The time at which the version became preferred.
    public let since: Timestamp
    public let version: SolutionVersion
}
