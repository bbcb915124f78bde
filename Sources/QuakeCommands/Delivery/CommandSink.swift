import QuakeStore
import QuakeSystem

/// Writes records to the standard input of a shell command. The command starts with the first record and does not run
/// without records.
///
/// A command may exit without reading everything. Its exit status alone decides whether it succeeded.
final class CommandSink: ChangeSink {
    let pageSize: Int? = nil
    private(set) var takenCount = 0
    private let command: String
    private let variables: [String: String]?
    private let savesToken: Bool
    private let rendering: ChangesOutputForm
    private let style: OutputStyle
    private let whileRunning: (String?, Duration) -> Void
    private var started: (receiver: CommandReceiver, renderer: any ChangesRenderer)?
    private var isListening = true
    private var lastRecord = ContinuousClock.now

    /// - Parameters:
    ///   - variables: The command's environment; nil for the environment of this process.
    ///   - savesToken: Whether a saved token advances if the command succeeds.
    ///   - whileRunning: Called while the command runs, always with nil and the time since the last record.
    init(
        _ command: String, variables: [String: String]?, savesToken: Bool, rendering: ChangesOutputForm,
        style: OutputStyle, whileRunning: @escaping (String?, Duration) -> Void
    ) {
        self.command = command
        self.variables = variables
        self.savesToken = savesToken
        self.rendering = rendering
        self.style = style
        self.whileRunning = whileRunning
    }

    func take(_ event: HistoryEvent) throws {
        if started == nil {
            if case .end = event { return }
            let receiver = try CommandReceiver.start(command, variables: variables)
            let writer = ByteWriter(descriptor: receiver.input)
            writer.isInterrupted = { [unowned self, unowned receiver] _ in
                whileRunning(nil, .now - lastRecord)
                return receiver.isInterrupted()
            }
            started = (receiver, rendering.renderer(writer, style))
        }
        lastRecord = .now
        try withRenderer { renderer throws(OutputError) in try renderer.write(event) }
    }

    func finish(_ end: HistoryEnd) throws -> ReadPosition.Receipt? {
        takenCount = end.count
        try withRenderer { renderer throws(OutputError) in try renderer.finish() }
        guard let receiver = started?.receiver else { return ReadPosition.Receipt(token: end.token) }
        whileRunning(nil, .now - lastRecord)
        let ending = try receiver.ending { _ in whileRunning(nil, .now - lastRecord) }
        guard ending == .exited(0) else {
            let remedy = "The saved token was not advanced; the next run delivers the same changes."
            throw CommandError("The command \(ending.words).", savesToken ? remedy : nil, .failure)
        }
        return ReadPosition.Receipt(token: end.token, command: ReadPosition.FinishedCommand())
    }

    private func withRenderer(_ body: (any ChangesRenderer) throws(OutputError) -> Void) throws(OutputError) {
        guard isListening, let renderer = started?.renderer else { return }
        do {
            try body(renderer)
        } catch .closedPipe {
            isListening = false
        } catch .interrupted {
            started?.receiver.endWithSignal()
            throw .interrupted
        }
    }
}
