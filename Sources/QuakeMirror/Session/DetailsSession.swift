/// Requests single quakes, with every version of their products, from the event service. Each response is one
/// transaction, so that an interrupted run resumes where it stopped.
struct DetailsSession {
    let session: MirrorSession

    /// Requests each quake in `plan`. An invalid response leaves its quake unchanged, and the run continues with the
    /// next quake.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, keeps failing, or demands a long pause;
    ///   ``/QuakeStore/StoreError`` when the cache fails; and `CancellationError`. Anything already stored is kept.
    func run(_ plan: [DetailRequest], _ report: DetailsReport) throws -> DetailsReport {
        guard let service = session.service, !plan.isEmpty else { return try ask(plan, report) }
        try session.waitForPause()
        let report = try session.recordingFailures(of: service.feedRecordName) { try ask(plan, report) }
        if service.requests > 0 { try session.sources.recordServiceResponse(of: service.feedRecordName) }
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
            let answer = try session.retrying { service throws(FeedError) in
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
        // The transaction has no publication time, because the uncertainties were published at some time before this
        // response.
        let reception = try session.context.write(TransactionOrigin(purpose: "details")) { writer in
            let reception = try writer.recordSolutions(
                document?.history, of: document?.quake, answering: request, updated: document?.updated, asOf: time)
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
    /// Whether only this response is unusable, so that the request for the next quake may succeed.
    fileprivate var isAboutOneAnswer: Bool {
        switch self {
        case .document: true
        case .transport(let error): error.kind == .bodyTooLarge
        case .status(let status, _): (400...499).contains(status)
        default: false
        }
    }
}
