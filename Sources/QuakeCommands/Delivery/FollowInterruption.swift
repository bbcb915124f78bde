/// A problem that interrupts an ongoing delivery. It is reported once when it begins and once when it ends.
final class FollowInterruption {
    private let reporter: Reporter
    private var recovery: String?

    init(_ reporter: Reporter) { self.reporter = reporter }

    var isInterrupted: Bool { recovery != nil }

    func begin(_ line: String, recovery: String = "The cache can be used again.") {
        guard self.recovery == nil else { return }
        reporter.writeLine(line, isFailure: true)
        self.recovery = recovery
    }

    /// Reports the end of the problem, if there is one.
    ///
    /// - Parameter words: The message to write instead of the usual one, even if there is no problem.
    func end(_ words: String? = nil) {
        if let words = words ?? recovery { reporter.writeLine("quakes: \(words)") }
        recovery = nil
    }
}
