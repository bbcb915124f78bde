import Foundation
import Glibc
import Subprocess

/// A program while it runs.
public struct RunningProcess: Sendable {
    /// Its process id.
    public let processID: Int32
    let output: OutputReader

    /// The next line of its standard output, without the line end; nil when there are no more.
    public func nextLine() async throws -> String? {
        try await output.nextLine()
    }

    /// Sends the signal `number`, such as SIGINT.
    public func send(signal number: Int32) {
        kill(processID, number)
    }

    /// Whether it still runs. One that has ended and is not waited for yet does not.
    public var isAlive: Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8) else { return false }
        let state = status.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    /// Reads what is left of its standard output, and so waits until it ends.
    public func remainingLines() async throws -> [String] {
        var lines: [String] = []
        while let line = try await nextLine() { lines.append(line) }
        return lines
    }
}

/// Splits what a program writes into lines.
actor OutputReader {
    private var pieces: SubprocessOutputSequence.AsyncIterator
    private var pending: [UInt8] = []
    private var hasEnded = false

    init(_ output: SubprocessOutputSequence) {
        pieces = output.makeAsyncIterator()
    }

    func nextLine() async throws -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard !hasEnded else {
                defer { pending = [] }
                return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
            }
            var iterator = pieces
            if let piece = try await iterator.next(isolation: self) {
                pending += piece.withUnsafeBytes { [UInt8]($0) }
            } else {
                hasEnded = true
            }
            pieces = iterator
        }
    }
}
