import Foundation
import QuakeTestSupport

/// An event affecting a folder's files. A file keeps its number, whatever its name.
enum DiskEvent: Sendable {
    case write(file: Int, offset: Int, bytes: [UInt8])
    case resize(file: Int, length: Int)
    /// After this, the disk has the whole file.
    case sync(file: Int)
    case add(name: String, file: Int)
    case remove(name: String)
    case rename(name: String, to: String)
    /// After this, the disk has the folder's names.
    case syncNames

    var isSync: Bool {
        switch self {
        case .sync, .syncNames: true
        case .write, .resize, .add, .remove, .rename: false
        }
    }
}

/// Converts the system calls of programs that ran one after another into events in one folder.
struct DiskEvents {
    /// A call that changes the folder in an unknown way.
    struct Unknown: Error {
        var call: String
    }

    let folder: String
    private var files: [String: Int] = [:]
    private var sizes: [Int: Int] = [:]
    private var nextFile = 0
    /// The position of each descriptor in the current program, and the file that it refers to.
    private var positions: [Int: Int] = [:]
    private var opened: [Int: String] = [:]
    private var events: [DiskEvent] = []

    init(folder: String) {
        self.folder = folder
    }

    /// Forgets the previous program's descriptors.
    mutating func beginProgram() {
        (positions, opened) = ([:], [:])
    }

    /// Returns the effects of `call`: none if it failed or is about another folder.
    mutating func events(of call: SystemCall) throws -> [DiskEvent] {
        events = []
        guard let result = call.result, result >= 0, call.name != "open" else { return [] }
        let arguments = call.arguments
        switch (call.name, arguments.first) {
        case ("openat", _): try open(call, descriptor: result)
        case ("lseek", .descriptor(let number, _)): positions[number] = result
        case ("write", .descriptor(let number, let path)):
            let position = positions[number, default: 0]
            positions[number] = position + result
            if let file = file(at: path), case .bytes(let bytes) = arguments[1] {
                write(file, position, bytes.prefix(result))
            }
        case ("pwrite64", .descriptor(_, let path)):
            if let file = file(at: path), case .bytes(let bytes) = arguments[1], let offset = arguments[3].number {
                write(file, offset, bytes.prefix(result))
            }
        case ("ftruncate", .descriptor(_, let path)):
            if let file = file(at: path), let length = arguments[1].number { resize(file, length) }
        case ("fallocate", .descriptor(_, let path)):
            if let file = file(at: path), let offset = arguments[2].number, let length = arguments[3].number {
                guard arguments[1].number == 0 else { throw Unknown(call: "\(call.name) \(path)") }
                resize(file, max(sizes[file, default: 0], offset + length))
            }
        case ("fsync", .descriptor(_, let path)), ("fdatasync", .descriptor(_, let path)):
            if path == folder { events.append(.syncNames) }
            if let file = file(at: path) { events.append(.sync(file: file)) }
        case ("unlink", .bytes), ("unlinkat", _):
            if let name = name(call.strings.last ?? ""), files.removeValue(forKey: name) != nil {
                events.append(.remove(name: name))
            }
        case ("rename", _), ("renameat", _), ("renameat2", _):
            if let old = name(call.strings[0]), let new = name(call.strings[1]) {
                files[new] = files.removeValue(forKey: old)
                events.append(.rename(name: old, to: new))
            }
        case ("link", _), ("linkat", _):
            if let new = name(call.strings[1]), let file = source(ofLinkTo: call.strings[0]) {
                files[new] = file
                events.append(.add(name: new, file: file))
            }
        default:
            guard !call.paths.contains(where: { name($0) != nil }) else { throw Unknown(call: "\(call)") }
        }
        return events
    }

    private mutating func open(_ call: SystemCall, descriptor: Int) throws {
        let flags = call.arguments.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        positions[descriptor] = 0
        opened[descriptor] = call.resultPath
        guard let path = call.resultPath, let name = name(path) else { return }
        if flags.contains("O_TMPFILE") {
            _ = newFile(name)
        } else if let file = files[name] {
            if flags.contains("O_TRUNC") { resize(file, 0) }
        } else if flags.contains("O_CREAT") {
            events.append(.add(name: name, file: newFile(name)))
        }
    }

    private mutating func newFile(_ name: String) -> Int {
        defer { nextFile += 1 }
        files[name] = nextFile
        return nextFile
    }

    private mutating func write(_ file: Int, _ offset: Int, _ bytes: ArraySlice<UInt8>) {
        sizes[file] = max(sizes[file, default: 0], offset + bytes.count)
        events.append(.write(file: file, offset: offset, bytes: Array(bytes)))
    }

    private mutating func resize(_ file: Int, _ length: Int) {
        sizes[file] = length
        events.append(.resize(file: file, length: length))
    }

    private func source(ofLinkTo path: String) -> Int? {
        let descriptor = path.hasPrefix("/proc/self/fd/") ? Int(path.dropFirst(14)) : nil
        return file(at: descriptor.flatMap { opened[$0] } ?? path)
    }

    private func file(at path: String) -> Int? { name(path).flatMap { files[$0] } }

    /// Returns the name within the folder of the file at `path`; nil if the file is elsewhere.
    private func name(_ path: String) -> String? {
        guard path.hasPrefix(folder + "/") else { return nil }
        let name = path.dropFirst(folder.count + 1)
        return name.contains("/") ? nil : String(name)
    }
}

extension SystemCall {
    /// Its string arguments, in order.
    fileprivate var strings: [String] {
        arguments.compactMap { if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }
}

extension SystemCall.Argument {
    fileprivate var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }
}
