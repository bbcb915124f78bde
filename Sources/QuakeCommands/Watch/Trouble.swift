/// What keeps a program that follows a cache from its work. It is reported once when it begins, and once when it ends.
final class Trouble {
    private let say: (_ line: String, _ isFailure: Bool) -> Void
    private var recovery: String?

    init(say: @escaping (String, Bool) -> Void) { self.say = say }

    func begin(_ error: any Error, recovery: String = "The cache can be used again.") {
        guard self.recovery == nil else { return }
        say(ErrorMessage(error).text, true)
        self.recovery = recovery
    }

    /// - Parameter words: what to say instead of the recovery, even without trouble.
    func end(_ words: String? = nil) {
        if let line = words ?? recovery { say("quakes: \(line)", false) }
        recovery = nil
    }
}
