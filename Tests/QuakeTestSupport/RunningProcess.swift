import Foundation
import Glibc
import QuakeSystem
import Synchronization

/// A running program.
public final class RunningProcess: Sendable {
    /// Its process id.
    public let processID: Int32
    private let child: Mutex<ChildProcess?>
    private let input: Mutex<Descriptor?>
    private let output: Descriptor
    private let errors: Descriptor
    /// The output that has been read but is not yet part of a line.
    private let pending = Mutex<[UInt8]>([])

    init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        // A shell ignores the signal in programs started in the background, and their children inherit this.
        signal(SIGINT, SIG_DFL)
        let input = try DescriptorPair.pipe()
        let output = try DescriptorPair.pipeFromChild()
        let errors = try DescriptorPair.pipeFromChild()
        let child = try ChildProcess(
            path, arguments: [path] + arguments, environment: environment,
            streams: [
                (STDIN_FILENO, input.theirs.number), (STDOUT_FILENO, output.theirs.number),
                (STDERR_FILENO, errors.theirs.number),
            ], dropSignal: SIGKILL, inheritsOthers: false)
        processID = child.id
        self.child = Mutex(child)
        self.input = Mutex(input.closingTheirs())
        self.output = output.closingTheirs()
        self.errors = errors.closingTheirs()
    }

    /// Returns the next line of its standard output, without the line break; nil if there are no more.
    public func nextLine() async throws -> String? {
        if let line = pending.withLock({ Self.takeLine(from: &$0) }) { return line }
        return try await onOwnThread { self.readLine() }
    }

    /// Reads the rest of its standard output, and so waits until it ends.
    public func remainingLines() async throws -> [String] {
        var lines: [String] = []
        while let line = try await nextLine() { lines.append(line) }
        return lines
    }

    /// Sends the signal `number`, such as SIGINT.
    public func send(signal number: Int32) {
        child.withLock { child in
            switch child {
            case .some(let child): child.send(number)
            case .none: break
            }
        }
    }

    /// Whether it is still running.
    public var isAlive: Bool { !hasEnded(within: .zero) }

    func remainingOutput() async throws -> Data { try await onOwnThread { Self.rest(of: self.output) } }

    func remainingErrors() -> Data { Self.rest(of: errors) }

    /// Writes to its standard input, as long as it reads.
    func write(_ bytes: Data) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let input = input.withLock({ $0.take() }) else { return }
        _ = bytes.withUnsafeBytes { Descriptor.write($0, to: input.number) }
    }

    /// Waits until it has ended, and returns how.
    var ending: ProcessResult.Ending {
        while !hasEnded(within: .milliseconds(100)) {}
        switch child.withLock({ $0.take() })?.wait() {
        case .exited(let status): return .exited(status)
        case .signaled(let number): return .signaled(number)
        case nil: return .signaled(0)
        }
    }

    /// Asks it to end, kills it if it has not ended after 5 s, and returns how it ended.
    var endingOnRequest: ProcessResult.Ending {
        send(signal: SIGTERM)
        if !hasEnded(within: .seconds(5)) { send(signal: SIGKILL) }
        return ending
    }

    private func hasEnded(within duration: Duration) -> Bool {
        child.withLock { child in
            switch child {
            case .some(let child): child.hasEnded(within: duration)
            case .none: true
            }
        }
    }

    private func readLine() -> String? {
        pending.withLock { pending in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                if let line = Self.takeLine(from: &pending) { return line }
                let count = buffer.withUnsafeMutableBytes { output.read(into: $0) }
                guard count > 0 else {
                    defer { pending = [] }
                    return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
                }
                pending += buffer[..<count]
            }
        }
    }

    private static func takeLine(from pending: inout [UInt8]) -> String? {
        guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }

    private static func rest(of stream: borrowing Descriptor) -> Data {
        var data = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = stream.read(into: buffer), count > 0 { data.append(contentsOf: buffer[..<count]) }
        return data
    }
}
