import FoundationEssentials
import QuakeFeed
import QuakeModel
import QuakeStore

extension BackfillSession {
    /// Applies the answer for `window`, with what the cache holds from then on, as one transaction.
    ///
    /// - Parameter asked: when the question was sent, by the clock of this machine.
    func apply(
        _ answer: CatalogueAnswer, to stretch: CatalogueStretch, window: Range<Timestamp>, asked: Timestamp
    ) throws -> BackfillWindow {
        var query = stretch.query
        query.originTimes = window
        let address = service.address(of: query)
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
        let asOf = min(published, asked)
        let origin = TransactionOrigin(
            context: "catalogue",
            provenance: HistoryTransaction.Provenance(
                url: address, generated: published, featureCount: snapshot.features.count),
            digest: snapshot.beginDigest())
        do {
            let parts = try context.catalogueParts()
            let outcome = try context.write(origin) { writer in
                let applied = try CatalogueApplication(
                    snapshot: snapshot, stretch: stretch, window: window, asOf: asOf, settings: settings, parts: parts,
                    writer: writer
                ).run()
                try observer.checkCancellation()
                return applied
            }
            return BackfillWindow(outcome.result, of: snapshot, to: stretch, window, outcome.transaction)
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
    }

    private static let empty = #"{"type":"FeatureCollection","features":[]}"#
}

extension BackfillWindow {
    fileprivate init(
        _ applied: AppliedFeatures, of snapshot: FeedSnapshot, to stretch: CatalogueStretch, _ window: Range<Timestamp>,
        _ transaction: HistoryTransaction?
    ) {
        originTimes = window
        isUpdate = stretch.purpose == .update
        features = snapshot.features.count
        inserted = applied.counts.inserted.values.reduce(0, +)
        updated = applied.counts.updated.values.reduce(0, +)
        deleted = applied.counts.deleted.values.reduce(0, +)
        skipped = applied.skipped
        self.transaction = transaction?.number
    }
}
