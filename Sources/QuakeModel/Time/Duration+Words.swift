extension Duration {
    /// The duration, rounded down, in the largest unit that fits into it at least twice: `90 s`, `15 min`, `3 days`;
    /// below 1 s, `less than 1 s`.
    package var words: String {
        let seconds = components.seconds
        if seconds < 1 { return "less than 1 s" }
        for (unit, length) in [("years", Int64(31_557_600)), ("days", 86_400), ("hours", 3600), ("min", 60)]
        where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }
}
