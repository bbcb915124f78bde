import Glibc

extension Duration {
    /// The duration in the largest unit that leaves a whole number of at least two, or in seconds: `90 s`, `15 min`, `3 days`.
    var words: String {
        let seconds = components.seconds
        if seconds < 1 { return "less than 1 s" }
        for (unit, length) in [("days", Int64(86_400)), ("hours", 3600), ("min", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }
}

/// What the system says about an error number.
enum SystemError {
    static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
