/// Applies the event service's answers about single ids (rule 9).
///
/// An answer counts as a document that lists one quake. If this is not the requested quake, the requested quake counts
/// as absent. So an answer can change only the requested quake and the cached quake with the answer's preferred id; the
/// other ids in the answer prove nothing about other quakes. Once the answer about an id has been applied, the id is no
/// longer in question (``/QuakeStore/IDInQuestion``). An answer older than the information in the cache is not applied,
/// and an id without a definite answer is requested again later.
struct AnswerApplication {
    let settings: MirrorSettings
    let writer: QuakeWriter
    /// The time by this machine's clock.
    let now: Timestamp
    var report: RefreshReport
    /// The ids, in lowercase, that the service's answers in this run have shown to belong to separate quakes.
    private(set) var separateIDs: Set<String>

    init(
        settings: MirrorSettings, writer: QuakeWriter, now: Timestamp, report: RefreshReport, separateIDs: Set<String>
    ) {
        self.settings = settings
        self.writer = writer
        self.now = now
        self.report = report
        self.separateIDs = separateIDs
    }

    /// Applies the answers, keyed by the requested ids. Answers about quakes in the cache come first, because the
    /// others may depend on them.
    mutating func run(_ answers: [String: DatedAnswer<Quake>]) throws {
        let order = try answers.keys.sorted().map { id in
            (id: id, isKnown: try WriterView(writer: writer, sourceTime: now).quake(withOwnID: id) != nil)
        }
        for (id, _) in order.filter(\.isKnown) + order.filter({ !$0.isKnown }) {
            guard let answer = answers[id] else { continue }
            try apply(answer, to: id)
        }
    }

    private mutating func apply(_ answer: DatedAnswer<Quake>, to id: String) throws {
        let view = WriterView(writer: writer, sourceTime: answer.date ?? now)
        let asked = try view.quake(withOwnID: id)
        let isApplied: Bool
        switch answer.answer {
        case .unsettled: return try postpone(id, asked)
        case .deleted: isApplied = try delete(asked, view)
        case .known(let quake) where quake.status?.lowercased() == "deleted":
            guard quake.id.isSameID(as: id) else { return try postpone(id, asked) }
            isApplied = try delete(asked, view)
        case .known(let quake): isApplied = try apply(quake, to: id, asked, view)
        }
        if isApplied { try writer.dropIDsInQuestion([id]) }
    }

    /// Postpones the next request for `id`. A quake that the feeds do not list is requested again only after the feeds
    /// have confirmed its absence again.
    private func postpone(_ id: String, _ asked: KnownQuake?) throws {
        try writer.changeCoverage { $0.addUnsettledAnswer(about: id, at: now) }
        if let asked, let absence = try absence(of: asked) {
            try writer.recordUnconfirmed(
                UnconfirmedChange(quakeKey: asked.stored.key, kind: .absent, sourceTime: absence.last))
        }
    }

    private func absence(of known: KnownQuake) throws -> UnconfirmedChange? {
        try writer.unconfirmedChanges().first { $0.quakeKey == known.stored.key && $0.kind == .absent }
    }

    private mutating func delete(_ asked: KnownQuake?, _ view: WriterView) throws -> Bool {
        guard let asked else { return true }
        guard try view.confirmedUntil(asked) <= view.sourceTime else { return false }
        try perform([.delete(asked.stored, reason: .retracted, mergedInto: nil)], view, resolving: asked)
        return true
    }

    private mutating func apply(
        _ answer: Quake, to id: String, _ asked: KnownQuake?, _ view: WriterView
    ) throws -> Bool {
        guard try asked != nil || view.isAdmitted(answer, in: writer.coverage().coveredRanges) else { return true }
        var quake = answer
        // The answer's unknown properties are products, which the cache keeps elsewhere.
        quake.extra = try (view.quake(withOwnID: quake.id) ?? asked)?.stored.quake.extra
        let facts = SnapshotFacts(
            sourceTime: view.sourceTime,
            listing: DocumentListing(.catalog, separateIDs: separateIDs, wouldList: { $0.id.isSameID(as: id) }) {
                [answer.id.lowercased()]
            }, ambiguousFeatures: .askService, isFromService: true, isAboutOneQuake: true)
        let rules = SnapshotRules(
            facts: facts, settings: settings, unconfirmedChanges: try writer.unconfirmedChanges())
        let decision = try rules.judge(quake, listed: [], cache: view)
        try writer.putInQuestion(decision.idsInQuestion)
        guard decision.outcome != .waiting, decision.outcome != .outdated else { return false }
        try perform(decision.operations, view, resolving: asked)
        try writer.dropIDsInQuestion([answer.id])
        separateIDs.insert(answer.id.lowercased())
        return true
    }

    private mutating func perform(
        _ operations: [Operation], _ view: WriterView, resolving asked: KnownQuake?
    ) throws {
        let wasAbsent = try asked.flatMap { try absence(of: $0) } != nil
        if let asked, wasAbsent { try writer.drop(.absent, of: asked.stored.key) }
        for operation in operations {
            try writer.perform(operation, RowSource(sourceTime: view.sourceTime.milliseconds), isFromService: true)
        }
        report.count(operations)
        if wasAbsent { report.missing = max(0, report.missing - 1) }
    }
}

extension WriterView {
    /// Returns whether the quake may be added or updated: the cache has it, or it lies in one of the covered ranges.
    func isAdmitted(_ quake: Quake, in coveredRanges: [CoveredRange]) throws -> Bool {
        if coveredRanges.contains(where: { $0.contains(quake) }) { return true }
        return try quake.aliases.contains { alias in
            guard case .live(let key)? = try target(ofID: alias), let known = try knownQuake(key)?.stored.quake
            else { return false }
            return alias.isSameID(as: known.id) || alias.isSameID(as: quake.id) && known.hasID(alias)
        }
    }
}
