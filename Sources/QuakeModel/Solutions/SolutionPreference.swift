/// Whether a version is the preferred one of its kind.
package enum SolutionPreference: String, CaseIterable, Sendable {
    /// The version is preferred.
    case current
    /// The version was preferred before.
    case former
    /// The version was never preferred.
    case never
}
