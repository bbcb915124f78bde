import QuakeModel
import QuakeOutput
import QuakeStore
import QuakeSystem

/// Runs the shell command of `--exec-each` once for each change, with its values as environment variables, and saves
/// the token after each run that succeeded.
///
/// Changes are read a page at a time and delivered between the pages, so that a slow command holds no snapshot of the
/// cache. A token names a whole transaction: after a failure or a kill, the changes of the transaction that was being
/// delivered are delivered again.
struct EachChange {
    let command: String
    let descriptor: HistoryDescriptor
    let position: ReadPosition
    let context: QuakeContext
    /// The variables of the command besides those of the change.
    let variables: [String: String]
    let style: OutputStyle

    private static let pageSize = 100

    /// Delivers what came after `start`, and returns how many changes that were, and the token after them.
    func deliver(from start: HistoryDescriptor.Start) throws -> (count: Int, token: HistoryToken?) {
        var page = descriptor
        page.start = start
        page.limit = min(descriptor.limit ?? Self.pageSize, Self.pageSize)
        let values = ChangeVariables(style: style)
        var count = 0
        while true {
            var events: [HistoryEvent] = []
            var end: HistoryEnd?
            try context.snapshot {
                try context.history.fetch(page, resyncs: false) { event in
                    if case .end(let last) = event { end = last } else { events.append(event) }
                }
            }
            for event in events {
                try run(values.variables(of: event))
                count += 1
                if case .change(let change) = event, let token = change.token { try position.keep(token, in: context) }
            }
            guard let end else { return (count, nil) }
            try position.keep(end.token, in: context)
            guard end.hasMore, descriptor.limit.map({ count < $0 }) ?? true else { return (count, end.token) }
            page.start = .token(end.token)
        }
    }

    private func run(_ values: [String: String]) throws {
        let receiver: CommandReceiver
        do throws(SystemError) {
            receiver = try CommandReceiver(command, variables: variables.merging(values) { $1 }, forwardsSignals: true)
        } catch { throw CommandError.commandNotStarted(reason: error.reason) }
        guard let ending = receiver.wait() else {
            receiver.endWithSignal()
            throw OutputError.interrupted
        }
        guard ending == .exited(0) else {
            throw CommandError.commandOfQuakeFailed(id: values["QUAKE_ID"] ?? "", ending)
        }
    }
}
