// Asks the event service about the absences that a snapshot confirmed, and applies its answers.
//
// A server that is out of date may cause a confirmed absence; the service knows which quakes were deleted. A request
// inside the transaction would keep every other writer waiting for a server. So the snapshot's transaction holds such
// absences back as doubts; then the service is queried; then a second transaction applies the answers to those quakes
// that are still in doubt. If the second is lost, the next refresh asks again.
//
// Each quake is asked about by its own id: a deleted event may list those of living quakes (decision 0054).

extension MirrorSession {
    /// After that many questions without an answer in a row, no more are asked.
    private static let mostFailuresInARow = 3

    /// Asks about the quakes under `keys`, unless the service asked for a pause that is not over, and adds to `report`
    /// what came of it.
    ///
    /// The pause of the service is its own and does not hold up the feeds: it is another program than the one that
    /// serves them, and often busy when that is not.
    ///
    /// - Parameter moment: up to when the document that raised the questions, and so their answers, confirm a quake.
    func ask(
        _ service: EventService, about keys: [QuakeKey], asOf moment: Timestamp, _ report: inout RefreshReport
    ) throws {
        observer.report(.asking(quakes: keys.count))
        let missing = try keys.compactMap { try context.savedQuake(forKey: $0) }
        var answers: [String: EventService.Response] = [:]
        report.serviceFault = try log.pause(of: service.recordName, at: service.address)
        if report.serviceFault == nil {
            (answers, report.serviceFault) = ask(service, about: missing.map(\.quake.id))
        }
        if let fault = report.serviceFault {
            try log.notePause(fault, of: service.recordName)
            if !observer.isCancelled { try log.noteFailure(fault, of: service.recordName) }
        } else {
            try log.noteServiceAnswered(service.recordName)
        }
        report.asked = answers.count
        if !answers.isEmpty { try apply(answers, to: missing, of: service, asOf: moment, &report) }
    }

    /// Asks about `ids` in random order, so that questions that always fail do not keep the others waiting run after
    /// run. Some have no answer where the service failed, or this run may ask no more.
    func ask(
        _ service: EventService, about ids: [String]
    ) -> (answers: [String: EventService.Response], fault: FeedError?) {
        var (answers, fault, failures): ([String: EventService.Response], FeedError?, Int) = ([:], nil, 0)
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
        _ answers: [String: EventService.Response], to questions: [StoredQuake], of service: EventService,
        asOf moment: Timestamp, _ report: inout RefreshReport
    ) throws {
        let published = report.generated ?? moment
        let origin = TransactionOrigin(
            context: report.feed,
            provenance: HistoryTransaction.Provenance(url: service.address, generated: published))
        let outcome = try context.write(origin) { [report] writer in
            var report = report
            let view = WriterView(writer: writer, generated: moment)
            var stillInDoubt = Set(try writer.doubts().filter { $0.kind == .absent }.map(\.quakeKey))
            for asked in questions {
                // Another process may have read a newer snapshot meanwhile.
                guard let answer = answers[asked.quake.id], stillInDoubt.remove(asked.key) != nil,
                    let missing = try writer.knownQuake(asked.key), missing.stored.quake.id == asked.quake.id
                else { continue }
                if [.unsettled, .unreadable].contains(answer) {
                    // It is asked again only when the feeds have confirmed the absence again.
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
    /// Whether the service cannot answer the question about a quake, however often it is asked.
    fileprivate var isFinal: Bool {
        switch self {
        case .status(let status, _): [400, 413, 414].contains(status)
        case .document(let error, _): [.badFeatures, .tooLarge].contains(error.kind)
        case .transport(let error): error.kind == .bodyTooLarge
        default: false
        }
    }
}

/// What the event service's answer about a missing quake means for the cache (rule 9).
struct ServiceVerdict {
    /// The quake that the feeds no longer list.
    let missing: KnownQuake
    let answer: EventService.Response

    /// The steps to take; none when the answer decides nothing.
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

    /// The quake continues under another id: a rename, or a merge when the cache holds that id already.
    ///
    /// The service says outright that both are one, so that networks need not be compared as with a feature's aliases.
    /// Of two quakes the older one stays (rule 3), with the values of whichever record is newer.
    private func continuation(as answer: Quake, cache: some CacheView) throws -> [Operation] {
        var steps: [Operation] = [.drop(.absent, key: missing.stored.key)]
        var survivor = missing.stored
        var values = answer
        values.extra = missing.stored.quake.extra
        // An id that led to another quake once, and is no longer one of its own, says nothing about that.
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

    /// The ids of `quake` that lead to no other quake, its own in any case.
    private func freeAliases(of quake: Quake, cache: some CacheView) throws -> [String] {
        try quake.aliases.filter { try $0.isSameID(as: quake.id) || cache.target(ofID: $0) == nil }
    }
}

/// About which sources' absences the event service is asked.
public enum ServiceScope: Hashable, Sendable, Codable {
    /// All, files included.
    case everything
    /// Those that were downloaded. A file tells about the past, and is replayed without a network.
    case downloads
    /// Those that were downloaded from USGS: what a proxy, a copy or a test serves need not be what USGS publishes.
    case downloadsFromUSGS

    /// Whether the service is queried about what is missing from the document at `source`.
    func includes(_ source: FeedSource, at endpoint: FeedEndpoint) -> Bool {
        switch self {
        case .everything: true
        case .downloads: source.isRemote
        case .downloadsFromUSGS:
            source.isRemote
                && HTTPRequest.host(of: source.address(at: endpoint)) == HTTPRequest.host(of: EventEndpoint().base)
        }
    }
}
