/// Collects findings, up to a limit per check.
final class FindingLog {
    private(set) var result = VerificationReport()
    private let limit: Int
    private var counts: [VerificationReport.Check: Int] = [:]

    init(limit: Int) { self.limit = limit }

    func add(_ check: VerificationReport.Check, _ detail: String) {
        // One damaged page may stop several steps of the same check.
        if let last = result.findings.last, last.check == check, last.detail == detail { return }
        counts[check, default: 0] += 1
        guard counts[check, default: 0] <= limit else {
            result.omitted += 1
            return
        }
        result.findings.append(VerificationReport.Finding(check: check, detail: String(detail.prefix(300))))
    }

    func count(_ path: WritableKeyPath<VerificationReport, Int>, _ count: Int = 1) { result[keyPath: path] += count }
    func record(token: HistoryToken) { result.token = token }

    /// Runs `body`. If damage stops `body`, adds a finding of `check`.
    func run(_ check: VerificationReport.Check, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch StoreError.corrupt(_, let reason) {
            add(check, reason)
        } catch StoreError.statement(_, _, let reason) {
            add(check, reason)
        }
    }
}
