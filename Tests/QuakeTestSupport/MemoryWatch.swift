import Foundation

/// The peak memory of a running process and its children, from /proc.
///
/// wait4(2) is not used, because its figure includes the memory of the program that started the process.
struct MemoryWatch {
    /// The process's peak in megabytes; nil until it has been measured.
    private(set) var peak: Double?
    /// The peak in megabytes of the largest child measured.
    private(set) var childPeak: Double?
    let processID: Int32

    init(processID: Int32) {
        self.processID = processID
    }

    /// Measures once. Returns false if the process has ended.
    mutating func look() -> Bool {
        // A new process shares the memory of this one until it executes its program.
        guard Self.program(of: processID) != Self.ownProgram else { return true }
        guard let current = Self.peak(of: processID) else { return false }
        peak = max(peak ?? 0, current)
        for child in Self.children(of: processID) {
            guard let current = Self.peak(of: child) else { continue }
            childPeak = max(childPeak ?? 0, current)
        }
        return true
    }

    private static let ownProgram = program(of: getpid())

    /// The path of the program that a process executes; nil if the process has ended.
    private static func program(of id: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
    }

    private static func peak(of id: Int32) -> Double? {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
    }

    private static func children(of id: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
        return threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/\(id)/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }
}
