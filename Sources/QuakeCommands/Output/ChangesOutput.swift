import QuakeFeed
import QuakeModel

/// Where one answer of `quakes changes` goes.
protocol ChangesOutput: AnyObject {
    /// Takes one event.
    func write(_ event: HistoryEvent) throws
    /// Returns once everything has arrived. Throws where it has not: the reader's token must not move then.
    func finish() throws
}

/// Standard output.
final class StandardChangesOutput: ChangesOutput {
    private let stream: StandardStream
    private let renderer: any ChangesRenderer
    private let movesToken: Bool

    /// `saysToken`: nobody keeps the next token, so forms without an end record say it on standard error.
    init(_ environment: CommandEnvironment, format: ChangesFormat, usesEpochTime: Bool, saysToken: Bool) {
        stream = environment.standardOutput
        movesToken = !saysToken
        renderer = format.renderer(
            ByteWriter(stream),
            ChangesStyle(
                usesEpochTime: usesEpochTime, facesTerminal: stream.isTerminal,
                tokenAside: saysToken ? ByteWriter(environment.standardError) : nil))
    }

    func write(_ event: HistoryEvent) throws {
        try renderer.write(event)
    }

    func finish() throws {
        try renderer.finish()
        if movesToken { try stream.confirmDelivery() }
    }
}

/// The standard input of a shell command, which starts at the first record: nothing to say, nothing started.
///
/// A command that ends well without having read everything has had enough; its exit status alone decides.
final class CommandOutput: ChangesOutput {
    private let command: String
    private let format: ChangesFormat
    private let usesEpochTime: Bool
    private var started: (receiver: CommandReceiver, renderer: any ChangesRenderer)?
    private var isListening = true

    init(_ command: String, format: ChangesFormat, usesEpochTime: Bool) {
        self.command = command
        self.format = format
        self.usesEpochTime = usesEpochTime
    }

    func write(_ event: HistoryEvent) throws {
        if started == nil {
            if case .end = event { return }
            let receiver = try CommandReceiver(command)
            let style = ChangesStyle(usesEpochTime: usesEpochTime)
            started = (receiver, format.renderer(ByteWriter(descriptor: receiver.input), style))
        }
        try tell { renderer throws(OutputError) in try renderer.write(event) }
    }

    func finish() throws {
        try tell { renderer throws(OutputError) in try renderer.finish() }
        guard let ending = started?.receiver.wait() else { return }
        guard ending == .exited(0) else { throw CommandError.commandFailed(ending) }
    }

    private func tell(_ body: (any ChangesRenderer) throws(OutputError) -> Void) throws(OutputError) {
        guard isListening, let renderer = started?.renderer else { return }
        do {
            try body(renderer)
        } catch .closedPipe {
            isListening = false
        }
    }
}
