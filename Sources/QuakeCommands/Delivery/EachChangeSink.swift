import QuakeStore
import QuakeSystem

/// Runs a shell command for each change. Changes are read in pages, and the commands run between the reads, so that a
/// slow command does not keep a snapshot of the cache open. A token refers to a whole transaction, so for a consumer,
/// the cache also stores the last change delivered. A token file cannot store that, so if a command fails or the
/// program is killed, the next run repeats the transaction.
final class EachChangeSink: ChangeSink {
    let pageSize: Int? = 100
    /// The number of commands that have succeeded.
    private(set) var takenCount = 0
    private let command: String
    private let variables: [String: String]
    private let values: ChangeVariables
    private let lastDelivered: ChangeID?
    private let save: (ReadPosition.Receipt) throws -> Void
    private let whileRunning: (String?, Duration) -> Void
    /// The changes of the current page.
    private var changes: [RelevantChange] = []

    /// - Parameters:
    ///   - variables: The command's environment variables apart from those that describe the change.
    ///   - delivered: The last change that an earlier run delivered; nil if there is none.
    ///   - save: Saves a position.
    ///   - whileRunning: Called before and while a command runs, with the quake's id and the command's running time.
    init(
        _ command: String, variables: [String: String], style: OutputStyle, after delivered: ChangeID?,
        save: @escaping (ReadPosition.Receipt) throws -> Void, whileRunning: @escaping (String?, Duration) -> Void
    ) {
        self.command = command
        self.variables = variables
        values = ChangeVariables(style: style)
        self.lastDelivered = delivered
        self.save = save
        self.whileRunning = whileRunning
    }

    func take(_ event: HistoryEvent) {
        guard case .change(let change) = event else { return }
        if let lastDelivered, change.change.id <= lastDelivered { return }
        changes.append(change)
    }

    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt? {
        for change in changes {
            let finished = try run(values.variables(of: change))
            takenCount += 1
            guard let token = change.token else { continue }
            let isLast = token == change.transaction.token
            try save(
                ReadPosition.Receipt(token: token, lastChange: isLast ? nil : change.change.id, command: finished))
        }
        changes.removeAll()
        try save(ReadPosition.Receipt(token: end.token))
        return nil
    }

    private func run(_ values: [String: String]) throws -> ReadPosition.FinishedCommand {
        let id = values["QUAKE_ID"] ?? ""
        whileRunning(id, .zero)
        let receiver = try CommandReceiver.start(command, variables: variables.merging(values) { $1 })
        let ending = try receiver.ending { whileRunning(id, $0) }
        guard ending == .exited(0) else {
            throw CommandError(
                "The command for \(id) \(ending.words).",
                "To skip the change, have the command exit with status 0.", .failure)
        }
        return ReadPosition.FinishedCommand(quake: id)
    }
}
