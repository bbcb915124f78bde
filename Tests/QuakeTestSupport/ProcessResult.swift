public import Foundation

/// The result of a process.
public struct ProcessResult: Sendable {
    /// How a process ended.
    public enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signaled(Int32)
    }

    /// How the process ended.
    public var ending: Ending
    /// Everything written to standard output.
    public var standardOutput: Data
    /// Everything written to standard error.
    public var standardError: Data
    /// The process's peak memory, if measured. Its children are not included.
    public var peakMegabytes: Double?
    /// The same for the largest child measured.
    public var childPeakMegabytes: Double?

    /// The exit status; nil if a signal ended the process.
    public var exitStatus: Int32? {
        if case .exited(let status) = ending { status } else { nil }
    }

    /// Standard output as text.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text.
    public var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
}
