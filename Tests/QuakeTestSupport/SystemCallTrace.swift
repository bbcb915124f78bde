import Foundation

/// A program's system call, as recorded by strace.
public struct SystemCall: Sendable {
    /// An argument of a call.
    public enum Argument: Sendable {
        /// A file descriptor or `AT_FDCWD` (-1), and its path, followed by ` (deleted)` if that no longer exists.
        case descriptor(Int, path: String)
        /// A path, or bytes to write.
        case bytes([UInt8])
        case number(Int)
        /// Anything else, such as flags.
        case text(String)
    }

    /// Its name, such as `pwrite64`.
    public var name: String
    /// Its ordinal among the calls of this name in its thread, from 1.
    public var ordinal: Int
    public var arguments: [Argument]
    /// The value it returned; nil if the program ended during the call.
    public var result: Int?
    /// The path of a descriptor that it returned.
    public var resultPath: String?

    /// The paths that it names, or to which its descriptors refer.
    public var paths: [String] {
        arguments.compactMap {
            switch $0 {
            case .descriptor(_, let path): path
            case .bytes(let bytes): bytes.count < 4096 ? String(decoding: bytes, as: UTF8.self) : nil
            case .number, .text: nil
            }
        } + [resultPath].compactMap(\.self)
    }
}

/// Runs programs under strace.
public enum SystemCallTrace {
    /// The calls by which a program changes files or waits for the disk.
    public static let calls = [
        "openat", "open", "creat", "write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "truncate",
        "fallocate", "lseek", "fsync", "fdatasync", "sync_file_range", "msync", "unlink", "unlinkat", "rename",
        "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "copy_file_range", "sendfile",
    ]

    /// Whether strace exists and the system allows it to work.
    public static let isPossible = ProcessRunner.succeeds(
        path, "-f", "-qq", "-o", "/dev/null", "-e", "trace=exit_group", "/bin/true")

    private static let path = "/usr/bin/strace"

    /// Runs `program` to its end and returns its ``calls`` in the order in which they began. `file` stores the record.
    public static func record(
        _ program: ProcessRunner, _ arguments: [String], in file: String
    ) async throws -> (result: ProcessResult, calls: [SystemCall]) {
        let options = [
            "-f", "--seccomp-bpf", "-y", "-qq", "-xx", "-s", "16777216", "-e", "signal=none", "-e",
            "trace=" + calls.joined(separator: ","), "-o", file, program.executable,
        ]
        let result = try await ProcessRunner(path: path, environment: program.environment).run(options + arguments)
        return (result, try SystemCallRecord(try Data(contentsOf: URL(filePath: file))).calls)
    }

    /// Runs `program` and kills it when it is about to make `call`. Its child programs are not affected.
    public static func kill(
        _ program: ProcessRunner, _ arguments: [String], at call: SystemCall
    ) async throws -> ProcessResult {
        try await run(program, arguments, with: "signal=KILL:when=\(call.ordinal)", in: call.name)
    }

    /// Runs `program` with a fault in its calls of `name`, in the form of strace, such as `error=ENOSPC:when=2`.
    ///
    /// - Parameter file: The path that the calls name; nil for all calls.
    public static func run(
        _ program: ProcessRunner, _ arguments: [String], with fault: String, in name: String, at file: String? = nil
    ) async throws -> ProcessResult {
        let options =
            ["-f", "-b", "execve", "-qq", "-o", "/dev/null"] + (file.map { ["-P", $0] } ?? [])
            + ["-e", "trace=\(name)", "-e", "inject=\(name):\(fault)", program.executable]
        return try await ProcessRunner(path: path, environment: program.environment).run(options + arguments)
    }
}

/// Reads strace's output with `-f -y -xx`: one call per line, after its thread's number, with every string and path in
/// hexadecimal escapes. A call interrupted by another thread's call takes two lines.
private struct SystemCallRecord {
    struct Malformed: Error {
        var line: String
    }

    /// The line endings of an interrupted call, and of one in a thread that strace no longer follows.
    private static let cuts = [" <unfinished ...>", " <detached ...>"].map { Array($0.utf8) }
    private(set) var calls: [SystemCall] = []
    private var ordinals: [String: Int] = [:]
    /// The indices of the incomplete calls, by thread.
    private var unfinished: [String: Int] = [:]

    init(_ data: Data) throws {
        for line in [UInt8](data).split(separator: UInt8(ascii: "\n")) { try read(line) }
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { throw malformed(line) }
        let thread = String(decoding: line[..<space], as: UTF8.self)
        let text = line[space...].drop { $0 == UInt8(ascii: " ") }
        switch text.first {
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return
        case UInt8(ascii: "<"):
            guard let index = unfinished.removeValue(forKey: thread) else { throw malformed(line) }
            (calls[index].result, calls[index].resultPath) = try result(of: text)
        default:
            guard let bracket = text.firstIndex(of: UInt8(ascii: "(")) else { throw malformed(line) }
            let name = String(decoding: text[..<bracket], as: UTF8.self)
            // strace prints this for a thread that it could not follow to its end. No traced call has this name.
            guard !name.hasPrefix("syscall_") else { return }
            ordinals[thread + name, default: 0] += 1
            var call = SystemCall(name: name, ordinal: ordinals[thread + name] ?? 0, arguments: [])
            let rest = text[(bracket + 1)...]
            if let cut = Self.cuts.first(where: { rest.suffix($0.count).elementsEqual($0) }) {
                call.arguments = rest.dropLast(cut.count).arguments
                unfinished[thread] = calls.count
            } else {
                guard let end = rest.lastIndex(of: UInt8(ascii: "=")) else { throw malformed(line) }
                let inside = rest[..<end].prefix(upTo: rest[..<end].lastIndex(of: UInt8(ascii: ")")) ?? end)
                call.arguments = inside.arguments
                (call.result, call.resultPath) = try result(of: rest)
            }
            calls.append(call)
        }
    }

    private func result(of text: ArraySlice<UInt8>) throws -> (Int?, String?) {
        guard let equals = text.lastIndex(of: UInt8(ascii: "=")) else { throw malformed(text) }
        switch text[(equals + 1)...].drop(while: { $0 == UInt8(ascii: " ") }).argument {
        case .descriptor(let number, let path): return (number, path)
        case .number(let number): return (number, nil)
        case .text(let text): return (text.split(separator: " ").first.flatMap { Int($0) }, nil)
        case .bytes: throw malformed(text)
        }
    }

    private func malformed(_ line: ArraySlice<UInt8>) -> Malformed {
        Malformed(line: String(decoding: line.prefix(400), as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// The arguments between a call's brackets. Because of escapes, strings contain no commas.
    fileprivate var arguments: [SystemCall.Argument] {
        split(separator: UInt8(ascii: ",")).map { $0.drop { $0 == UInt8(ascii: " ") }.argument }
    }

    fileprivate var argument: SystemCall.Argument {
        if first == UInt8(ascii: "\"") { return .bytes(dropFirst().unescaped) }
        if let start = firstIndex(of: UInt8(ascii: "<")), let end = lastIndex(of: UInt8(ascii: ">")) {
            let number = Int(String(decoding: self[..<start], as: UTF8.self))
            let path = String(decoding: self[(start + 1)..<end].unescaped, as: UTF8.self)
            return .descriptor(number ?? -1, path: self[end...].count > 1 ? path + " (deleted)" : path)
        }
        let text = String(decoding: self, as: UTF8.self)
        return Int(text).map { .number($0) } ?? .text(text)
    }

    /// The bytes of `\x61\x62`, up to the end of the escapes.
    private var unescaped: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4)
        var index = startIndex
        while index + 3 < endIndex, self[index] == UInt8(ascii: "\\") {
            bytes.append(self[index + 2].hexadecimalDigit << 4 | self[index + 3].hexadecimalDigit)
            index += 4
        }
        return bytes
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt8 { self < 0x3A ? self & 0xF : (self & 0xF) + 9 }
}
