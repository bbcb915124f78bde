public import Foundation
import Subprocess

/// Runs a built program for real.
public struct ProcessRunner: Sendable {
    /// The path of the program.
    public let executable: String
    /// What the program's environment has besides this process's own; nil takes a variable away.
    public var environment: [String: String?]

    /// A runner of the built product `name`. Variables that would change what `quakes` does are taken away first.
    public init(_ name: String = "quakes", environment: [String: String?] = [:]) {
        self.init(path: BuiltProduct.path(name), environment: environment)
    }

    /// A runner of the program at `path`.
    public init(path: String, environment: [String: String?] = [:]) {
        executable = path
        let neutral: [String: String?] = [
            "QUAKES_DB": nil, "QUAKES_AUTHOR": nil, "XDG_DATA_HOME": nil, "NO_COLOR": nil, "QUAKES_PAGER": "cat",
            "QUAKES_SYSTEM_DB": "", "http_proxy": nil,
            "https_proxy": nil, "no_proxy": nil, "SWIFT_BACKTRACE": "enable=no",
        ]
        self.environment = neutral.merging(environment) { $1 }
    }

    /// Runs the program to its end.
    public func run(_ arguments: String..., input: Data = Data()) async throws -> ProcessResult {
        try await run(arguments, input: input)
    }

    /// Runs the program to its end.
    public func run(_ arguments: [String], input: Data = Data()) async throws -> ProcessResult {
        let result = try await Subprocess.run(
            configuration(arguments), input: .data(input), output: .data(limit: Self.outputLimit),
            error: .data(limit: Self.outputLimit))
        return ProcessResult(
            ending: ProcessResult.Ending(result.terminationStatus), standardOutput: result.standardOutput,
            standardError: result.standardError)
    }

    /// Runs the program to its end and tells how much memory it and its children took at most.
    ///
    /// It looks every millisecond: a program that is gone sooner has no peak.
    public func runMeasuringMemory(_ arguments: [String], input: Data = Data()) async throws -> ProcessResult {
        let result = try await Subprocess.run(
            configuration(arguments), input: .data(input), output: .data(limit: Self.outputLimit),
            error: .data(limit: Self.outputLimit)
        ) { execution in
            let id = execution.processIdentifier.value
            return try await onOwnThread {
                var watch = MemoryWatch(processID: id)
                while watch.look() { Thread.sleep(forTimeInterval: 0.001) }
                return watch
            }
        }
        return ProcessResult(
            ending: ProcessResult.Ending(result.terminationStatus), standardOutput: result.standardOutput,
            standardError: result.standardError, peakMegabytes: result.closureResult.peak,
            childPeakMegabytes: result.closureResult.childPeak)
    }

    /// Starts the program and runs `body` beside it. When `body` ends, the program is asked to terminate, and killed
    /// where it does not.
    ///
    /// The result's `standardOutput` is empty: `body` reads it.
    public func whileRunning<Value: Sendable>(
        _ arguments: [String], _ body: (RunningProcess) async throws -> Value
    ) async throws -> (Value, ProcessResult) {
        let result = try await Subprocess.run(
            configuration(arguments), input: .none, output: .sequence, error: .data(limit: Self.outputLimit)
        ) { execution in
            let process = RunningProcess(
                processID: execution.processIdentifier.value, output: OutputReader(execution.standardOutput))
            let value: Value
            do {
                value = try await body(process)
            } catch {
                await execution.teardown(using: Self.ending)
                throw error
            }
            await execution.teardown(using: Self.ending)
            return value
        }
        let left = ProcessResult(
            ending: ProcessResult.Ending(result.terminationStatus), standardOutput: Data(),
            standardError: result.standardError)
        return (result.closureResult, left)
    }

    private static let outputLimit = 512 << 20
    private static let ending: [TeardownStep] = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]

    private func configuration(_ arguments: [String]) -> Configuration {
        var changes: [Subprocess.Environment.Key: String?] = [:]
        for (name, value) in environment { changes[.init(stringLiteral: name)] = .some(value) }
        return Configuration(
            executable: .path(literal(executable)), arguments: Arguments(arguments),
            environment: .inherit.updating(changes))
    }

    /// A value that is written as text. (Subprocess's paths belong to a module that is not ours to import.)
    private func literal<Value: ExpressibleByStringLiteral>(_ text: String) -> Value
    where Value.StringLiteralType == String {
        Value(stringLiteral: text)
    }
}

extension ProcessResult.Ending {
    fileprivate init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exited(code)
        case .signaled(let number): self = .signalled(number)
        }
    }
}
