import QuakeStore
import QuakeSystem

/// Runs the shell command of `--exec-each` once for each change, with the change's values as environment variables, and
/// saves the position after each successful run.
///
/// Changes are read in pages and delivered between the reads, so that a slow command does not keep a snapshot of the
/// cache open. Because a token refers to a whole transaction, the cache also stores the last change delivered to a
/// consumer. A token file cannot store that change, so after a failure or kill, the next run repeats the transaction.
struct EachChange {
    let command: String
    let descriptor: HistoryDescriptor
    let position: ReadPosition
    let context: QuakeContext
    /// The command's environment variables apart from those that describe the change.
    let variables: [String: String]
    let style: OutputStyle
    let reporter: Reporter
    /// Called before and while a command runs, with the quake's id and the command's running time.
    let whileRunning: (String?, Duration) -> Void

    private static let pageSize = 100

    /// Delivers the changes and returns the number of commands run.
    func deliver() throws -> Int {
        var page = descriptor
        let values = ChangeVariables(style: style)
        let delivered = try position.lastChange(in: context)
        // The number of changes read, including those that an earlier run delivered, and the number of commands run.
        var (read, count) = (0, 0)
        while true {
            page.limit = min(descriptor.limit.map { $0 - read } ?? Self.pageSize, Self.pageSize)
            var changes: [RelevantChange] = []
            var end: HistoryEnd?
            try context.snapshot {
                try context.history.fetch(page, resyncs: false) { event in
                    if case .end(let last) = event { end = last }
                    if case .change(let change) = event { changes.append(change) }
                }
            }
            if let end { reporter.remark(on: end.skipped, olderThan: descriptor.maximumOriginAge) }
            for change in changes {
                read += 1
                if let delivered, change.change.id <= delivered { continue }
                let finished = try run(values.variables(of: change))
                count += 1
                guard let token = change.token else { continue }
                let isLast = token == change.transaction.token
                try position.keep(
                    token, through: isLast ? nil : change.change.id, after: finished, in: context)
            }
            guard let end else { return count }
            try position.keep(end.token, in: context)
            guard end.hasMore, descriptor.limit.map({ read < $0 }) ?? true else { return count }
            page.start = .token(end.token)
        }
    }

    private func run(_ values: [String: String]) throws -> FinishedCommand {
        let id = values["QUAKE_ID"] ?? ""
        whileRunning(id, .zero)
        let receiver = try CommandReceiver.start(command, variables: variables.merging(values) { $1 })
        guard let ending = receiver.wait(meanwhile: { whileRunning(id, $0) }) else {
            receiver.endWithSignal()
            throw OutputError.interrupted
        }
        guard ending == .exited(0) else {
            throw CommandError(
                "The command for \(id) \(ending.words).",
                "The change will be delivered again. To skip it, have the command exit with status 0.",
                .failure)
        }
        return FinishedCommand(quake: id)
    }
}
