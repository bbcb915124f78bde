import FoundationEssentials
import QuakeFeed
import QuakeModel
import QuakeStore

extension BackfillSession {
    /// Applies the answer for `window`, with what the cache holds from then on, as one transaction.
    ///
    /// - Parameters:
    ///   - asked: when the question was sent, by the clock of this machine.
    ///   - epoch: that of the plan.
    ///   - proof: the windows that this one proves whole, itself among them.
    /// - Throws: ``OutdatedPlan`` when claims were taken back since the plan was made: nothing is kept then.
    func apply(
        _ answer: CatalogueAnswer, to stretch: CatalogueStretch, window: Range<Timestamp>, asked: Timestamp,
        epoch: Int64, proof: (FetchedWindow) -> [FetchedWindow]?
    ) throws -> (BackfillWindow, FetchedWindow) {
        let part = stretch.in(window)
        let address = service.address(of: part.query)
        let snapshot: FeedSnapshot
        var date: Timestamp?
        switch answer {
        case .snapshot(let received): snapshot = received
        case .nothing(let moment):
            snapshot = try FeedSnapshot(Data(Self.empty.utf8), source: address)
            date = moment
        }
        // Without one the clock of this machine counts, which may be wrong.
        let published = snapshot.envelope.generated ?? date ?? asked
        guard published <= now() + .seconds(86_400) else {
            throw FeedError.document(.fromTheFuture(generated: published, now: now()), source: address)
        }
        let origin = TransactionOrigin(
            context: "catalogue",
            provenance: HistoryTransaction.Provenance(
                url: address, generated: published, featureCount: snapshot.features.count),
            digest: snapshot.beginDigest())
        do {
            let outcome = try context.write(origin) { writer in
                guard try writer.claimEpoch() == epoch else { throw OutdatedPlan() }
                let applied = try CatalogueApplication(
                    snapshot: snapshot, stretch: part, asOf: min(published, asked), settings: settings, writer: writer
                ).run(proof: proof)
                try observer.checkCancellation()
                return applied
            }
            let (applied, fetched) = outcome.result
            return (BackfillWindow(applied, of: snapshot, to: part, outcome.transaction), fetched)
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
    }

    /// Notes that the answers to `stretch` in `windows`, which came before, were whole.
    func claim(_ windows: [FetchedWindow], of stretch: CatalogueStretch, _ epoch: Int64) throws {
        try context.write { writer in
            guard try writer.claimEpoch() == epoch else { throw OutdatedPlan() }
            try writer.claim(windows, of: stretch)
        }
    }

    private static let empty = #"{"type":"FeatureCollection","features":[]}"#
}

extension BackfillWindow {
    fileprivate init(
        _ applied: AppliedFeatures, of snapshot: FeedSnapshot, to stretch: CatalogueStretch,
        _ transaction: HistoryTransaction?
    ) {
        originTimes = stretch.originTimes
        isUpdate = stretch.purpose == .update
        features = snapshot.features.count
        inserted = applied.counts.inserted.values.reduce(0, +)
        updated = applied.counts.updated.values.reduce(0, +)
        deleted = applied.counts.deleted.values.reduce(0, +)
        skipped = applied.skipped
        self.transaction = transaction?.number
    }
}
