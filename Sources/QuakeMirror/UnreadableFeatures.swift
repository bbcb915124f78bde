import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

/// What is done about the features of an answer that could not be read: those with an id are noted, and asked for one
/// by one at each update. Of the others nobody could ask, so that they count as not sent.
struct UnreadableFeatures {
    /// An answer with more of them is not claimed: halves may be.
    private static let most = 20
    private static let longestID = 100

    /// Those that can be asked for.
    let named: [UnreadableFeature]
    /// How many features count as not sent.
    let unsent: Int

    init(_ skipped: [SkippedFeature], in originTimes: Range<Timestamp>) {
        let skipped = skipped.filter { !$0.isRepeated }
        let named = skipped.compactMap { feature in
            feature.id.flatMap { id in
                id.isEmpty || id.utf8.count > Self.longestID
                    ? nil : UnreadableFeature(id: id, originTimes: originTimes, reason: feature.defect.words)
            }
        }
        self.named = named.count > Self.most ? [] : named
        unsent = skipped.count - self.named.count
    }

    /// Notes them, and that those need not be asked for any more which the answer lists too and the cache has.
    func note(in writer: QuakeWriter, listed: ListedIDs) throws {
        for feature in try writer.unreadableFeatures() where listed.contains(feature.id) {
            if try writer.has(feature) { try writer.drop(feature) }
        }
        for feature in named { try writer.note(feature) }
    }
}

extension QuakeWriter {
    /// Whether the quake is in the cache.
    fileprivate func has(_ feature: UnreadableFeature) throws -> Bool {
        if case .live? = try target(ofID: feature.id) { true } else { false }
    }
}

extension MirrorSession {
    /// Asks for the features that could not be read before, as long as a claim is about them.
    ///
    /// - Returns: what came of them, nil where there are none, and whether all were asked for.
    func askForUnreadable(of service: EventService) throws -> (read: RefreshReport?, isComplete: Bool) {
        let (features, claims) = try context.snapshot {
            (try context.sources.unreadableFeatures(), try context.sources.claims())
        }
        var report = RefreshReport(.applied, feed: "catalogue", source: service.address, dryRun: dryRun)
        for feature in features {
            let isClaimed = claims.contains { $0.originTimes.overlaps(feature.originTimes) }
            guard !isOutOfTime else { return (report, false) }
            let asked = now()
            do {
                var answer: EventService.Answer?
                if isClaimed {
                    answer = try patiently { service throws(FeedError) in try service.ask(about: feature.id) }
                    if answer == nil { return (report, false) }
                }
                try apply(answer, about: feature, asked: asked, of: service, &report)
            } catch FeedError.document {
                // It still cannot be read.
                continue
            }
        }
        return (features.isEmpty ? nil : report, true)
    }

    /// - Parameter answer: nil for a feature that no claim covers anymore.
    private func apply(
        _ answer: EventService.Answer?, about feature: UnreadableFeature, asked: Timestamp, of service: EventService,
        _ report: inout RefreshReport
    ) throws {
        if answer == .unsettled { return }
        let origin = TransactionOrigin(
            context: report.feed,
            provenance: HistoryTransaction.Provenance(url: service.address, generated: asked, featureCount: 1))
        let operations = try context.write(origin) { writer in
            let view = WriterView(writer: writer, generated: asked, feed: "catalogue")
            var operations: [Operation] = []
            var isWanted = false
            if case .known(let quake)? = answer, try view.isAdmitted(quake, claims: writer.claims()) {
                isWanted = true
                let facts = SnapshotFacts(
                    generated: asked, window: nil, countsAbsences: false, coveredBefore: [],
                    listedIDs: ListedIDs(absence: .unchanged) { [quake.id.lowercased()] }, isCatalog: true)
                var reconciler = Reconciler(facts: facts, settings: settings, doubts: try writer.doubts())
                operations = try reconciler.judge(quake, cache: view)
                try view.noteLostIDs(reconciler.keysOfLostIDs, facts)
            } else if answer == .deleted, case .live(let key)? = try view.target(ofID: feature.id),
                let known = try view.knownQuake(key), known.stored.quake.id.isSameID(as: feature.id)
            {
                operations = [.delete(known.stored, reason: .retracted, mergedInto: nil)]
            }
            for operation in operations { try writer.perform(operation, RowSource(generated: asked.milliseconds)) }
            if try !isWanted || writer.has(feature) { try writer.drop(feature) }
            return operations
        }
        report.count(operations.result)
        report.transaction = operations.transaction ?? report.transaction
    }
}
