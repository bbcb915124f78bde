public import Foundation

/// What a process left behind.
public struct ProcessResult: Sendable {
    /// How a process came to its end.
    public enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signaled(Int32)
    }

    /// How the process came to its end.
    public var ending: Ending
    /// All it wrote to its standard output.
    public var standardOutput: Data
    /// All it wrote to its standard error.
    public var standardError: Data
    /// The most memory the process itself ever held, where that was asked for. Its children are not counted.
    public var peakMegabytes: Double?
    /// The same for the largest child that was seen.
    public var childPeakMegabytes: Double?

    /// The exit status; nil where a signal ended the process.
    public var exitStatus: Int32? {
        if case .exited(let status) = ending { status } else { nil }
    }

    /// Standard output as text.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text.
    public var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
}
