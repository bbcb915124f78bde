public import Foundation
import Glibc

/// Runs a built program as a real process.
public struct ProcessRunner: Sendable {
    public let executable: String
    /// Variables added to this process's environment; nil removes a variable.
    public var environment: [String: String?]

    /// A runner of the built product `name`. Variables that would affect `quakes` are removed first.
    public init(_ name: String = "quakes", environment: [String: String?] = [:]) {
        self.init(path: BuiltProduct.path(name), environment: environment)
    }

    /// A runner of the program at `path`.
    public init(path: String, environment: [String: String?] = [:]) {
        executable = path
        let neutral: [String: String?] = [
            "QUAKES_DB": nil, "QUAKES_AUTHOR": nil, "XDG_DATA_HOME": nil, "NO_COLOR": nil,
            "CLICOLOR_FORCE": nil, "CLICOLOR": nil,
            "QUAKES_SYSTEM_DB": "", "http_proxy": nil,
            "https_proxy": nil, "no_proxy": nil, "CURL_CA_BUNDLE": nil, "SSL_CERT_FILE": nil,
            "SWIFT_BACKTRACE": "enable=no",
        ]
        self.environment = neutral.merging(environment) { $1 }
    }

    /// Whether this program exists and succeeds.
    public static func succeeds(_ command: String...) -> Bool {
        let process = Process()
        (process.executableURL, process.arguments) = (URL(filePath: "/usr/bin/env"), command)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// Runs the program to its end.
    public func run(_ arguments: String..., input: Data = Data()) async throws -> ProcessResult {
        try await run(arguments, input: input)
    }

    public func run(_ arguments: [String], input: Data = Data()) async throws -> ProcessResult {
        let (output, result) = try await during(arguments, input: input, \.ending) { try await $0.remainingOutput() }
        return result.with(output)
    }

    /// Runs the program to its end and measures the peak memory of it and its children.
    ///
    /// It measures every millisecond, so a program that ends sooner has no peak.
    public func runMeasuringMemory(_ arguments: [String], input: Data = Data()) async throws -> ProcessResult {
        let (seen, result) = try await during(arguments, input: input, \.ending) { process in
            async let watch = onOwnThread {
                var watch = MemoryWatch(processID: process.processID)
                while process.isAlive, watch.look() { usleep(1000) }
                return watch
            }
            return (try await process.remainingOutput(), try await watch)
        }
        var measured = result.with(seen.0)
        (measured.peakMegabytes, measured.childPeakMegabytes) = (seen.1.peak, seen.1.childPeak)
        return measured
    }

    /// Starts the program and runs `body` beside it. When `body` ends, the program is asked to terminate, and killed if
    /// it does not.
    ///
    /// The result's `standardOutput` is empty, because `body` reads it.
    public func whileRunning<Value: Sendable>(
        _ arguments: [String], _ body: (RunningProcess) async throws -> Value
    ) async throws -> (Value, ProcessResult) {
        try await during(arguments, input: Data(), \.endingOnRequest, body)
    }

    /// Runs `body` beside the program, then waits for its end. Canceling the test kills the program.
    private func during<Value: Sendable>(
        _ arguments: [String], input: Data, _ end: @escaping @Sendable (RunningProcess) -> ProcessResult.Ending,
        _ body: (RunningProcess) async throws -> Value
    ) async throws -> (Value, ProcessResult) {
        let process = try RunningProcess(executable, arguments, environment: variables)
        return try await withTaskCancellationHandler {
            async let written: Void = onOwnThread { process.write(input) }
            async let errors = onOwnThread { process.remainingErrors() }
            let value: Value
            do {
                value = try await body(process)
            } catch {
                _ = try await onOwnThread { process.endingOnRequest }
                throw error
            }
            let ending = try await onOwnThread { end(process) }
            try await written
            return (value, ProcessResult(ending: ending, standardOutput: Data(), standardError: try await errors))
        } onCancel: {
            process.send(signal: SIGKILL)
        }
    }

    private var variables: [String: String] {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        return variables
    }
}

extension ProcessResult {
    fileprivate func with(_ output: Data) -> ProcessResult {
        var result = self
        result.standardOutput = output
        return result
    }
}
