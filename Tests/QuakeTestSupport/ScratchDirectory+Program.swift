import Foundation

extension ScratchDirectory {
    /// Writes the shell script `lines` as the program `name` and returns its path.
    public func writeProgram(_ lines: String, to name: String) async throws -> String {
        let source = try write(Data("#!/bin/sh\n\(lines)\n".utf8), to: name + ".source")
        defer { try? FileManager.default.removeItem(atPath: source) }
        return try await copyProgram(source, to: name)
    }

    /// Copies the file at `source` as the program `name` and returns the copy's path.
    ///
    /// A separate process writes the copy. If this process had the file open for writing, so might children that other
    /// tests are just starting, and a file open for writing cannot be run ("Text file busy").
    @discardableResult
    public func copyProgram(_ source: String, to name: String) async throws -> String {
        let result = try await ProcessRunner(path: "/usr/bin/install").run("-m", "755", "--", source, path(name))
        guard result.exitStatus == 0 else { throw ProgramNotCopied(reason: result.errorOutput) }
        return path(name)
    }
}

/// The program could not be copied.
struct ProgramNotCopied: Error {
    let reason: String
}
