extension Duration {
    /// The whole milliseconds of this duration, truncated toward zero.
    package var wholeMilliseconds: Int64 {
        let (milliseconds, overflows) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return components.seconds < 0 ? .min : .max }
        return milliseconds.saturatingSum(components.attoseconds / 1_000_000_000_000_000)
    }
}
