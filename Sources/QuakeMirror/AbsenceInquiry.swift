import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service about the absences a snapshot confirmed, and applies its answers.
///
/// Need: an absence is believed on the word of a server that may be stale; the service knows. Hazard: a request inside
/// the transaction would keep every other writer waiting for a server. Choice: the snapshot's transaction holds such
/// absences back as doubts; then the service is asked; then a second transaction applies what it said to those quakes
/// that are still in doubt. Price: two entries in the history for one refresh, and a repeated question where the second is lost.
struct AbsenceInquiry {
    let context: QuakeContext
    let service: EventService
    /// The name of the feed whose snapshot it was.
    let feed: String
    let generated: Timestamp
    let now: Timestamp

    /// Asks about the quakes that `report` says are awaiting an answer, and adds what came of it.
    func run(_ report: inout RefreshReport) throws {
        var record = try context.feed(named: service.address)
        if let notBefore = record?.notBefore, notBefore > now {
            report.serviceFault = .tryLater(
                notBefore, status: 429, host: HTTPRequest.host(of: service.address))
            return
        }
        let answers = try ask(&report)
        if case .tryLater(let moment, _, _)? = report.serviceFault {
            record = record ?? FeedRecord(name: service.address)
            record?.notBefore = moment
            if let record { try context.save(record) }
        }
        if answers.contains(where: { $0.answer != .unsettled }) { try apply(answers, &report) }
    }

    private typealias Answered = (asked: StoredQuake, answer: EventService.Answer)

    private func ask(_ report: inout RefreshReport) throws -> [Answered] {
        var answers: [Answered] = []
        do {
            for key in report.awaiting {
                guard let stored = try context.quake(forKey: key) else { continue }
                guard let answer = try service.ask(about: stored.quake.id) else { break }
                answers.append((stored, answer))
            }
        } catch let fault as FeedError {
            report.serviceFault = fault
        }
        report.asked = answers.count
        return answers
    }

    private func apply(_ answers: [Answered], _ report: inout RefreshReport) throws {
        let provenance = HistoryTransaction.Provenance(url: service.address, generated: generated)
        let blank = report
        let (filled, transaction) = try context.transaction(
            TransactionOrigin(context: feed, provenance: provenance)
        ) { writer in
            var report = blank
            let view = WriterView(writer: writer, generated: generated, feed: feed)
            var stillInDoubt = Set(try writer.doubts().filter { $0.kind == .absent }.map(\.quakeKey))
            for (asked, answer) in answers where stillInDoubt.remove(asked.key) != nil {
                guard let missing = try writer.knownQuake(asked.key), missing.stored.quake.id == asked.quake.id else {
                    continue
                }
                let operations = try ServiceVerdict(missing: missing, answer: answer).operations(cache: view)
                for operation in operations {
                    try writer.perform(operation, RowSource(generated: generated.milliseconds))
                }
                report.count(operations)
                if !operations.isEmpty { report.missing -= 1 }
            }
            return report
        }
        report = filled
        report.transaction = report.transaction ?? transaction
    }
}
