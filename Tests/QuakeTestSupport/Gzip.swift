import Foundation

/// gzip(1).
enum Gzip {
    /// Returns what gzip writes with `arguments`.
    static func output(_ arguments: String...) throws -> Data {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return data
    }
}
