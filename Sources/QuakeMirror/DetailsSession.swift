/// Requests single quakes, with every version of their products, from the event service. Each response is one
/// transaction, so that an interrupted run resumes where it stopped.
struct DetailsSession {
    let session: MirrorSession

    /// Requests each quake in `plan`. An invalid response leaves its quake unchanged, and the run continues with the
    /// next quake.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, keeps failing, or demands a long pause;
    ///   ``StoreError``; `CancellationError`. Anything already stored is kept.
    func run(_ plan: [DetailRequest], _ report: DetailsReport) throws -> DetailsReport {
        guard let service = session.service, !plan.isEmpty else { return try ask(plan, report) }
        try session.waitForPause()
        let report = try session.noting(failuresOf: service.recordName) { try ask(plan, report) }
        if service.requests > 0 { try session.log.noteServiceAnswered(service.recordName) }
        return report
    }

    private func ask(_ plan: [DetailRequest], _ report: DetailsReport) throws -> DetailsReport {
        var report = report
        for (index, request) in plan.enumerated() {
            guard !session.isOutOfTime else { return report }
            session.observer.report(.details(id: request.id, index: index, of: plan.count))
            guard let outcome = try outcome(of: request) else { return report }
            report.add(outcome)
            report.requests = session.service?.requests ?? 0
            session.observer.report(.answered(QuakeDetail(id: request.id, outcome: outcome)))
        }
        report.isComplete = true
        return report
    }

    /// Returns the outcome of `request`; nil if this run may send no more requests.
    private func outcome(of request: DetailRequest) throws -> QuakeDetail.Outcome? {
        do {
            let answer = try session.patiently { service throws(FeedError) in
                let answer = try service.details(ofID: request.id)
                try session.requirePlausible(answer?.date, of: service)
                return answer
            }
            guard let answer else { return nil }
            return try apply(answer, to: request)
        } catch let error as FeedError where error.isAboutOneAnswer {
            return .failed(error)
        }
    }

    private func apply(
        _ answer: DatedAnswer<DetailDocument>, to request: DetailRequest
    ) throws -> QuakeDetail.Outcome {
        let document: DetailDocument? = if case .known(let known) = answer.answer { known } else { nil }
        let time = answer.date ?? session.now()
        let reception = try session.context.write { writer in
            let reception = try writer.recordSolutions(
                document?.history, answering: request, updated: document?.updated, asOf: time)
            try session.observer.checkCancellation()
            return reception
        }.result
        return switch answer.answer {
        case _ where reception == .quakeIsGone: .deletedLocally
        case _ where reception == .isOlder:
            .failed(.document(.older(asOf: time), source: session.service?.address ?? ""))
        case .known(let document): .stored(document.history.versions.mapValues(\.count), skipped: document.skipped)
        case .deleted: .deleted
        case .unsettled: .notFound
        }
    }
}

extension FeedError {
    /// Whether the error concerns only this response, so that the next request may succeed.
    fileprivate var isAboutOneAnswer: Bool {
        switch self {
        case .document: true
        case .transport(let error): error.kind == .bodyTooLarge
        case .status(let status, _): (400...499).contains(status)
        default: false
        }
    }
}

extension FeedMirror {
    /// Requests every version of the quakes' solutions from the event service, and stores them in the cache. To read
    /// them, call ``/QuakeStore/QuakeContext/solutions(ofKey:)``.
    ///
    /// Requests are sent one at a time, a second apart. Each response is stored at once, without an entry in the
    /// history, because no quake changes. Canceling the task stops the requests; the next call resumes after the last
    /// response.
    ///
    /// - Parameters:
    ///   - keys: the local keys of the quakes; nil for all quakes requested before.
    ///   - again: whether to include quakes that have not changed since they were last requested.
    ///   - settings: the pause between requests, and the limits.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails, ``/QuakeStore/StoreError`` if the cache fails, and
    ///   `CancellationError`.
    public func fetchDetails(
        ofKeys keys: [QuakeKey]? = nil, again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> DetailsReport {
        try await onOwnThread(onProgress) { observer in
            try fetchDetails(ofKeys: keys, again: again, limits: settings, dryRun: false, observer)
        }
    }

    /// Sends the requests on the current thread; with `dryRun`, only counts them.
    package func fetchDetails(
        ofKeys keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver
    ) throws -> DetailsReport {
        let context = try cache.context(author: author, access: dryRun ? .reading : .writing)
        let session = session(in: context, dryRun: dryRun, limits, observer)
        func run() throws -> DetailsReport {
            let all = try context.detailRequests(ofKeys: keys)
            let plan = again ? all : all.filter(\.isDue)
            let report = DetailsReport(
                quakes: plan.count, unchanged: all.count - plan.count,
                pause: session.service?.interval ?? .zero)
            return dryRun ? report : try DetailsSession(session: session).run(plan, report)
        }
        return dryRun ? try run() : try CacheLock.hold(cacheAt: cache.path, run)
    }
}
