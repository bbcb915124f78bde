/// The unreadable features of a response. If such a feature has an id, the id becomes unresolved. Without an id, the
/// quake cannot be requested, and the feature counts as not sent.
struct UnreadableFeatures {
    /// The maximum number of unreadable features with which a response can still cover its window. A response with more
    /// may still cover the halves of its window.
    private static let most = 20

    /// The unresolved ids.
    let questions: [OpenQuestion]
    /// The number of features that count as not sent.
    let unsent: Int

    init(_ skipped: [SkippedFeature], in originTimes: Range<Timestamp>) {
        let skipped = skipped.filter { !$0.isRepeated }
        let named = skipped.compactMap { feature in
            feature.id.flatMap { $0.isEmpty ? nil : $0 }
                .map { OpenQuestion(id: $0, originTimes: originTimes, reason: feature.defect.words) }
        }
        questions = named.count > Self.most ? [] : named
        unsent = skipped.count - questions.count
    }

    /// Records the unresolved ids, and drops earlier ones if the response lists them and they now lead to a quake.
    func note(in writer: QuakeWriter, listed: ListedIDs) throws {
        let read = try writer.coverage().questions.map(\.id).filter { id in
            guard listed.contains(id), case .live? = try writer.target(ofID: id) else { return false }
            return true
        }
        try writer.dropQuestions(about: read)
        try writer.note(questions)
    }
}

extension MirrorSession {
    /// Requests every unresolved id from the event service. An unreadable feature stays unresolved until it can be read
    /// or is deleted. A quake without a result from the service is left unchanged.
    ///
    /// - Parameter moment: the time as of which the responses confirm quakes.
    /// - Returns: the report, and whether all ids were requested; nil if no ids are unresolved.
    func askQuestions(
        of service: EventService, asOf moment: Timestamp
    ) throws -> (report: RefreshReport, isComplete: Bool)? {
        let ids = try context.sources.questions().map(\.id)
        guard !ids.isEmpty else { return nil }
        var report = RefreshReport(.applied, feed: "catalog", source: service.address, dryRun: dryRun)
        let (answers, fault) = ask(service, about: ids)
        report.asked = answers.count
        // A faulty response about one quake need not affect the other quakes.
        let isAboutOne = if case .document? = fault { true } else { false }
        if !isAboutOne { report.serviceError = fault }
        for (id, answer) in answers.sorted(by: { $0.key < $1.key }) {
            try apply(answer, to: id, asOf: moment, of: service, &report)
        }
        return (report, isAboutOne || answers.count == ids.count)
    }

    private func apply(
        _ answer: EventAnswer<Quake>, to id: String, asOf moment: Timestamp, of service: EventService,
        _ report: inout RefreshReport
    ) throws {
        let origin = TransactionOrigin(
            purpose: report.feed,
            provenance: HistoryTransaction.Provenance(url: service.address, generated: moment, featureCount: 1))
        let outcome = try context.write(origin) { writer in
            let view = WriterView(writer: writer, generated: moment)
            let held = try view.quake(withOwnID: id)
            if answer == .unreadable || answer == .unsettled && held == nil { return [Operation]() }
            try writer.dropQuestions(about: [id])
            let operations = try operations(for: answer, about: held, view)
            for operation in operations { try writer.perform(operation, RowSource(generated: moment.milliseconds)) }
            return operations
        }
        report.count(outcome.result)
        report.transaction = outcome.transaction ?? report.transaction
    }

    /// - Parameter held: the cached quake whose preferred id was requested.
    private func operations(
        for answer: EventAnswer<Quake>, about held: KnownQuake?, _ view: WriterView
    ) throws -> [Operation] {
        if let held, try view.confirmedUntil(held) > view.generated { return [] }
        if case .known(let quake) = answer, held.map({ $0.stored.quake.id.isSameID(as: quake.id) }) ?? true {
            guard try view.isAdmitted(quake, claims: view.writer.coverage().claims) else { return [] }
            let facts = SnapshotFacts(
                generated: view.generated,
                // The response says nothing about the other quakes whose ids it lists.
                listedIDs: ListedIDs(absence: .unchanged, reaches: { _, _ in false }) { [quake.id.lowercased()] },
                isCatalog: true)
            var reconciler = Reconciler(facts: facts, settings: settings, doubts: try view.writer.doubts())
            let operations = try reconciler.judge(quake, cache: view)
            if held == nil { try view.noteQuestions(of: reconciler, facts) }
            return operations
        }
        return try held.map { try ServiceVerdict(missing: $0, answer: answer).operations(cache: view) } ?? []
    }
}

extension WriterView {
    /// Returns the quake whose preferred id is `id`.
    fileprivate func quake(withOwnID id: String) throws -> KnownQuake? {
        guard case .live(let key)? = try target(ofID: id), let known = try knownQuake(key),
            known.stored.quake.id.isSameID(as: id)
        else { return nil }
        return known
    }
}
