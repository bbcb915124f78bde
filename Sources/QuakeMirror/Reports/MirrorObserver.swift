/// Receives the progress of a refresh or backfill, and can cancel it.
package struct MirrorObserver: Sendable {
    let report: @Sendable (MirrorProgress) -> Void
    let monitor: TransferMonitor
    private let isStopped: @Sendable () -> Bool

    /// Creates an observer; by default, one that only its monitor can cancel.
    package init(
        report: @escaping @Sendable (MirrorProgress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.report = report
        isStopped = isCancelled
        monitor = TransferMonitor { progress in
            report(.received(progress))
            return !isCancelled()
        }
    }

    var isCancelled: Bool { monitor.isCancelled || isStopped() }

    package func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Sleeps for `duration`, checking for cancellation ten times a second. Returns false if canceled.
    @discardableResult
    func sleep(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isCancelled, ContinuousClock.now < end { RequestPace.sleep(min(.milliseconds(100), end - .now)) }
        return !isCancelled
    }
}
