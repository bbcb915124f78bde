// Asks the event service about the absences that a snapshot confirmed, and applies its responses.
//
// An outdated server may cause a confirmed absence, but the service knows which quakes were deleted. A request inside
// the transaction would keep every other writer waiting for a server. So the snapshot's transaction records such
// absences as doubts, the service is queried, and a second transaction applies the responses to the quakes that are
// still in doubt. If the second transaction is lost, the next refresh queries the service again.
//
// Each quake is requested by its own id, because a deleted event may list the ids of existing quakes (decision 0054).

extension MirrorSession {
    /// The number of consecutive failures after which no more requests are sent.
    private static let mostFailuresInARow = 3

    /// Requests the quakes under `keys`, unless the service demanded a pause that is still in force, and adds the
    /// outcome to `report`.
    ///
    /// The service's pause does not delay the feeds, which come from a different program. That program is often
    /// available while the service is busy.
    ///
    /// - Parameter moment: the time as of which the document, and therefore the responses, confirm quakes.
    func ask(
        _ service: EventService, about keys: [QuakeKey], asOf moment: Timestamp, _ report: inout RefreshReport
    ) throws {
        observer.report(.asking(quakes: keys.count))
        let missing = try keys.compactMap { try context.savedQuake(forKey: $0) }
        var answers: [String: EventAnswer<Quake>] = [:]
        report.serviceError = try log.pause(of: service.recordName, at: service.address)
        if report.serviceError == nil {
            (answers, report.serviceError) = ask(service, about: missing.map(\.quake.id))
        }
        if let fault = report.serviceError {
            try log.notePause(fault, of: service.recordName)
            if !observer.isCancelled { try log.noteFailure(fault, of: service.recordName) }
        } else {
            try log.noteServiceAnswered(service.recordName)
        }
        report.asked = answers.count
        if !answers.isEmpty { try apply(answers, to: missing, of: service, asOf: moment, &report) }
    }

    /// Requests `ids` in random order, so that requests that always fail do not block the others in every run. The
    /// results lack some ids if the service failed, or if this run may send no more requests.
    func ask(
        _ service: EventService, about ids: [String]
    ) -> (answers: [String: EventAnswer<Quake>], fault: FeedError?) {
        var (answers, fault, failures): ([String: EventAnswer<Quake>], FeedError?, Int) = ([:], nil, 0)
        do throws(FeedError) {
            for id in ids.shuffled() where failures < MirrorSession.mostFailuresInARow && !isOutOfTime {
                do throws(FeedError) {
                    guard let answer = try service.ask(about: id) else { break }
                    answers[id] = answer
                    failures = 0
                } catch let error where error.isFinal {
                    answers[id] = .unreadable
                } catch let error where error.isOfThisRequestAlone {
                    fault = fault ?? error
                    failures += 1
                }
            }
            return (answers, fault)
        } catch {
            return (answers, error)
        }
    }

    private func apply(
        _ answers: [String: EventAnswer<Quake>], to questions: [StoredQuake], of service: EventService,
        asOf moment: Timestamp, _ report: inout RefreshReport
    ) throws {
        let published = report.generated ?? moment
        let origin = TransactionOrigin(
            purpose: report.feed,
            provenance: HistoryTransaction.Provenance(url: service.address, generated: published))
        let outcome = try context.write(origin) { [report] writer in
            var report = report
            let view = WriterView(writer: writer, generated: moment)
            var stillInDoubt = Set(try writer.doubts().filter { $0.kind == .absent }.map(\.quakeKey))
            for asked in questions {
                // Another process may have applied a newer snapshot in the meantime.
                guard let answer = answers[asked.quake.id], stillInDoubt.remove(asked.key) != nil,
                    let missing = try writer.knownQuake(asked.key), missing.stored.quake.id == asked.quake.id
                else { continue }
                if [.unsettled, .unreadable].contains(answer) {
                    // The quake is requested again only after the feeds have confirmed the absence again.
                    try writer.note(Doubt(quakeKey: asked.key, kind: .absent, generated: published))
                    continue
                }
                let operations = try ServiceVerdict(missing: missing, answer: answer).operations(cache: view)
                for operation in operations {
                    try writer.perform(operation, RowSource(generated: moment.milliseconds))
                }
                report.count(operations)
                if !operations.isEmpty { report.missing -= 1 }
            }
            return report
        }
        report = outcome.result
        report.transaction = report.transaction ?? outcome.transaction
    }
}

extension FeedError {
    /// Whether the service can never fulfill the request for this quake.
    fileprivate var isFinal: Bool {
        switch self {
        case .status(let status, _): [400, 413, 414].contains(status)
        case .document(let error, _): [.badFeatures, .tooLarge].contains(error.kind)
        case .transport(let error): error.kind == .bodyTooLarge
        default: false
        }
    }
}

/// The consequences of the event service's response about a missing quake (rule 9).
struct ServiceVerdict {
    /// The quake that the feeds no longer list.
    let missing: KnownQuake
    let answer: EventAnswer<Quake>

    /// Returns the operations to perform; empty if the response decides nothing.
    func operations(cache: some CacheView) throws -> [Operation] {
        switch answer {
        case .unsettled, .unreadable: []
        case .deleted:
            [
                .drop(.absent, key: missing.stored.key),
                .delete(missing.stored, reason: .retracted, mergedInto: nil),
            ]
        case .known(let quake) where quake.id.isSameID(as: missing.stored.quake.id):
            [.drop(.absent, key: missing.stored.key)]
        case .known(let quake): try continuation(as: quake, cache: cache)
        }
    }

    /// Continues the quake under another id, as a rename, or as a merge if the cache already holds that id.
    ///
    /// The service states explicitly that both ids denote the same quake, so networks are not compared as for a
    /// feature's aliases. The older quake stays (rule 3), with the values of the newer record.
    private func continuation(as answer: Quake, cache: some CacheView) throws -> [Operation] {
        var steps: [Operation] = [.drop(.absent, key: missing.stored.key)]
        var survivor = missing.stored
        var values = answer
        values.extra = missing.stored.quake.extra
        // An id that once led to another quake, but is no longer among that quake's ids, proves nothing.
        if case .live(let key)? = try cache.target(ofID: answer.id), key != survivor.key,
            let twin = try cache.knownQuake(key), twin.stored.quake.has(answer.id)
        {
            let (oldest, other) = key < survivor.key ? (twin.stored, survivor) : (survivor, twin.stored)
            survivor = oldest
            values.extra = twin.stored.quake.extra
            if answer.updated < twin.stored.quake.updated { values = twin.stored.quake }
            steps.append(.delete(other, reason: .merged, mergedInto: survivor.key))
        }
        if values.hasOtherPlaceName(than: survivor.quake) { values.takePlaceName(of: survivor.quake) }
        let isSameID = values.id.isSameID(as: survivor.quake.id)
        if !isSameID || !values.differences(from: survivor.quake).isEmpty {
            steps.append(
                .update(
                    survivor, to: values, reason: isSameID ? .revised : .renamed,
                    aliases: try freeAliases(of: values, cache: cache)))
        }
        return steps
    }

    /// Returns the preferred id of `quake`, and its other ids that lead to no quake.
    private func freeAliases(of quake: Quake, cache: some CacheView) throws -> [String] {
        try quake.aliases.filter { try $0.isSameID(as: quake.id) || cache.target(ofID: $0) == nil }
    }
}

/// The sources whose missing quakes the event service must confirm.
public enum ServiceScope: Hashable, Sendable {
    /// All sources, including files.
    case everything
    /// Downloads, but not files, which may describe the past.
    case downloads
    /// Downloads from USGS only, because a proxy, copy or test server may differ from what USGS publishes.
    case downloadsFromUSGS

    /// Returns whether the service must confirm quakes missing from the document at `source`.
    func includes(_ source: FeedSource, at endpoint: FeedEndpoint) -> Bool {
        switch self {
        case .everything: true
        case .downloads: source.isRemote
        case .downloadsFromUSGS:
            source.isRemote
                && TransportRequest.host(of: source.address(at: endpoint))
                    == TransportRequest.host(of: EventEndpoint().base)
        }
    }
}
