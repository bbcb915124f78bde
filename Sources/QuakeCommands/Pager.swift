import Glibc
import QuakeSystem

/// Output for people on a terminal: what is longer than the window goes through a pager, as git's output does.
///
/// The pager is `$QUAKES_PAGER`, otherwise `$PAGER`, otherwise `less`; empty or `cat` means none. Output that fits into
/// the window is written at once, after it is complete. A pager that cannot be started, or fails before it has read
/// much, is replaced by plain output. A person who quits the pager ends the output: that is ``OutputError/closedPipe``,
/// which counts as success.
final class Pager {
    /// How much output is kept to be repeated without the pager.
    private static let keptBytes = 4 * ByteWriter.threshold

    private let stream: StandardStream
    private let plain: ByteWriter
    /// The shell command; nil if there is no paging.
    private let command: String?
    private let variables: [String: String]
    private let ownsProcess: Bool
    /// Output that the terminal does not show yet, or that went to a pager that may still fail.
    private var kept: [UInt8] = []
    private var receiver: CommandReceiver?
    /// The way to the pager. What it has not read yet does not keep the cache waiting.
    private var pipe: ByteWriter?
    private var isDecided: Bool
    private var reactionToInterrupt: __sighandler_t?

    /// Whether the terminal shows ASCII only.
    private let writesASCII: Bool

    /// The way to standard output. What is not `forPeople` goes there as it is. `isRefused`: without a pager.
    init(_ environment: CommandEnvironment, forPeople: Bool = true, isRefused: Bool) {
        stream = environment.standardOutput
        plain = ByteWriter(stream)
        variables = environment.variables
        ownsProcess = environment.ownsProcess
        let terminal = environment.variable("TERM") ?? "dumb"
        writesASCII = forPeople && stream.isTerminal && !stream.usesUnicode
        command =
            isRefused || !forPeople || !stream.isTerminal || terminal == "dumb" ? nil : Self.command(in: environment)
        isDecided = command == nil
    }

    deinit {
        // After an error the person still reads what came before it, unless the pager is gone too.
        try? pipe?.flush()
        _ = end()
    }

    func writer() -> ByteWriter {
        let writer =
            command == nil ? ByteWriter(stream) : ByteWriter { bytes throws(OutputError) in try self.write(bytes) }
        writer.writesASCII = writesASCII
        return writer
    }

    /// Writes what is left, and waits until the person has left the pager.
    ///
    /// - Parameter confirmsDelivery: throw ``OutputError/closedPipe`` even if the pager left before it had read all.
    func finish(confirmsDelivery: Bool = false) throws(OutputError) {
        if !isDecided { return try writePlainly() }
        try tellPager { pipe throws(OutputError) in try pipe.flush() }
        var failure: OutputError?
        if confirmsDelivery, let receiver {
            do throws(OutputError) {
                try StandardStream(descriptor: receiver.input, isTerminal: false).confirmDelivery()
            } catch { failure = error }
        }
        guard let ending = end() else { return }
        if ending.isFailure, !kept.isEmpty { return try writePlainly() }
        if let failure { throw failure }
    }

    private static func command(in environment: CommandEnvironment) -> String? {
        // A variable that is set and empty means no pager, as with git.
        let choice = environment.variables["QUAKES_PAGER"] ?? environment.variables["PAGER"] ?? "less"
        return choice.isEmpty || choice == "cat" ? nil : choice
    }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(OutputError) {
        if !isDecided {
            kept += bytes
            guard kept.count(where: { $0 == UInt8(ascii: "\n") }) >= stream.terminalRows else { return }
            isDecided = true
            start()
            guard receiver != nil else { return try writePlainly() }
            return try passOn(kept)
        }
        guard receiver != nil else {
            plain.append(bytes)
            return try plain.flush()
        }
        // A pager that has taken this much works, so nothing needs to be repeated.
        kept = kept.isEmpty || kept.count + bytes.count > Self.keptBytes ? [] : kept + bytes
        try passOn(Array(bytes))
    }

    private func passOn(_ bytes: [UInt8]) throws(OutputError) {
        try tellPager { pipe throws(OutputError) in
            bytes.withUnsafeBufferPointer { pipe.append($0) }
            try pipe.flushBetweenRows()
        }
    }

    /// Writes to the pager with `body`; to the terminal after a pager that was of no use.
    private func tellPager(_ body: (ByteWriter) throws(OutputError) -> Void) throws(OutputError) {
        guard let pipe else { return }
        do {
            try body(pipe)
        } catch {
            guard end()?.isFailure == true, !kept.isEmpty else { throw error }
            try writePlainly()
        }
    }

    /// Waits until the person has left the pager. Nil if there is none.
    private func end() -> ChildProcess.Ending? {
        defer { (receiver, pipe) = (nil, nil) }
        guard let ending = receiver?.wait() else { return nil }
        if ownsProcess { signal(SIGINT, reactionToInterrupt) }
        return ending
    }

    private func start() {
        guard let command else { return }
        var variables = variables
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        if variables["LV"] == nil { variables["LV"] = "-c" }
        receiver = try? CommandReceiver(Self.shellCommand(command), output: stream.descriptor, variables: variables)
        pipe = receiver.map { ByteWriter(descriptor: $0.input) }
        // Ctrl-C is for the pager: without us it would read from the terminal together with the shell.
        if receiver != nil, ownsProcess { reactionToInterrupt = signal(SIGINT, SIG_IGN) }
    }

    /// A simple command replaces the shell, which would end at Ctrl-C and leave the pager alone with the terminal.
    private static func shellCommand(_ command: String) -> String {
        command.contains { "|&;<>()$`=\n".contains($0) } ? command : "exec \(command)"
    }

    private func writePlainly() throws(OutputError) {
        isDecided = true
        kept.withUnsafeBufferPointer { plain.append($0) }
        kept = []
        try plain.flush()
    }
}

extension ChildProcess.Ending {
    /// Whether a pager that ended so was of no use. Ctrl-C is a way to leave some.
    fileprivate var isFailure: Bool {
        switch self {
        case .exited(let status): status != 0 && status != 128 + SIGINT
        case .signaled(let number): number != SIGINT
        }
    }
}
