import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service about single quakes and every version of their products. Each answer is one transaction, so
/// that an interrupted run goes on where it stopped.
struct DetailsSession {
    /// A question that fails is asked again at most this often in a row.
    private static let mostFailures = 5
    /// A pause that the service asks for is waited for up to this long; the next run waits for the rest.
    private static let longestPause = Duration.seconds(600)

    let context: QuakeContext
    let service: EventService
    let limits: BackfillSettings
    let observer: MirrorObserver<DetailsProgress>
    let now: @Sendable () -> Timestamp
    private let start = ContinuousClock.now

    /// Asks about each quake of `plan`. An answer that is not valid leaves its quake as it was, and the next one is
    /// asked about.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, fails again and again, or asks for a long pause;
    ///   ``StoreError``; `CancellationError`. What was answered before stays.
    func run(_ plan: [DetailRequest], _ report: DetailsReport) throws -> DetailsReport {
        var report = report
        if !plan.isEmpty, let pause = try context.feed(named: service.recordName)?.pause, pause.end > now() {
            try wait(until: pause.end, because: FeedError(pause, of: service.address))
        }
        for (index, request) in plan.enumerated() {
            guard limits.maximumTime.map({ ContinuousClock.now - start < $0 }) ?? true else { return report }
            observer.report(.requesting(id: request.id, index: index, of: plan.count))
            let asked = now()
            let outcome: QuakeDetail.Outcome
            do {
                guard let answer = try answer(to: request) else { return report }
                outcome = try apply(answer, to: request, asked: asked)
            } catch let error as FeedError where error.isAboutOneAnswer {
                outcome = .failed(error)
            }
            report.add(outcome)
            report.requests = service.requests
            observer.report(.answered(QuakeDetail(id: request.id, outcome: outcome)))
        }
        report.isComplete = true
        return report
    }

    private func apply(
        _ answer: DetailAnswer, to request: DetailRequest, asked: Timestamp
    ) throws -> QuakeDetail.Outcome {
        let document: DetailDocument? = if case .known(let known) = answer { known } else { nil }
        let isKept = try context.write { writer in
            let isKept = try writer.note(
                document?.history, answering: request, updated: document?.updated, asked: asked)
            try observer.checkCancellation()
            return isKept
        }.result
        return switch answer {
        case _ where !isKept: .gone
        case .known(let document): .kept(document.history.versions.mapValues(\.count), skipped: document.skipped)
        case .deleted: .deleted
        case .unknown: .unknown
        }
    }

    /// The answer about one quake, again after a while when the service fails or asks for a pause. Nil when this run may
    /// send no more requests.
    private func answer(to request: DetailRequest) throws -> DetailAnswer? {
        let isFirst = service.requests == 0
        var failures = 0
        while true {
            try observer.checkCancellation()
            do throws(FeedError) {
                guard let answer = try service.details(ofID: request.id) else { break }
                return answer
            } catch {
                try observer.checkCancellation()
                failures += 1
                var moment = now() + max(service.interval * 3, .milliseconds(100)) * (1 << (failures - 1))
                if let pause = error.pause {
                    var record = try context.feed(named: service.recordName) ?? FeedRecord(name: service.recordName)
                    record.pause = pause
                    try context.save(record)
                    moment = max(moment, pause.end)
                }
                // Without a network there is no use in waiting before anything has come.
                let mayPass = error.pause != nil || error.mayPass && !(isFirst && error.isAboutReaching)
                guard mayPass, failures < Self.mostFailures else { throw error }
                try wait(until: moment, because: error)
            }
        }
        // No more requests may be sent, or the run was cancelled.
        try observer.checkCancellation()
        return nil
    }

    private func wait(until moment: Timestamp, because error: FeedError) throws {
        let left = limits.maximumTime.map { $0 - (ContinuousClock.now - start) } ?? Self.longestPause
        guard moment - now() <= min(left, Self.longestPause) else { throw error }
        observer.report(.waiting(until: moment, error))
        observer.sleep(moment - now())
        try observer.checkCancellation()
    }
}

extension FeedError {
    /// Whether only this answer was bad: the next one may be good.
    fileprivate var isAboutOneAnswer: Bool {
        switch self {
        case .document, .transport(.bodyTooLarge): true
        case .status(let status, _): (400...499).contains(status)
        default: false
        }
    }
}
