import Foundation

extension ScratchDirectory {
    /// Lays down the shell script `lines` as the program `name` and returns its path.
    public func writeProgram(_ lines: String, to name: String) async throws -> String {
        let source = try write(Data("#!/bin/sh\n\(lines)\n".utf8), to: name + ".source")
        defer { try? FileManager.default.removeItem(atPath: source) }
        return try await copyProgram(source, to: name)
    }

    /// Copies the file at `source` as the program `name` and returns the copy's path.
    ///
    /// A process of its own writes the copy. A file that this process has open for writing is open for a moment in
    /// each child that other tests start meanwhile, and what is open for writing cannot be run ("Text file busy").
    @discardableResult
    public func copyProgram(_ source: String, to name: String) async throws -> String {
        let result = try await ProcessRunner(path: "/usr/bin/install").run("-m", "755", "--", source, path(name))
        guard result.exitStatus == 0 else { throw ProgramNotCopied(reason: result.errorOutput) }
        return path(name)
    }
}

/// A program could not be laid down.
struct ProgramNotCopied: Error {
    let reason: String
}
