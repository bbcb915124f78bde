import Foundation
import QuakeTestSupport

/// A disk whose power may be cut: synchronized data survives, and anything else only as far as the disk had written it.
///
/// Writes not separated by a sync may reach the disk in any order, sector by sector. Changes of names reach it in
/// order, as in file systems with a journal. A sync of a file does not save its name.
struct CutDisk {
    /// The unsynchronized data that has reached the disk.
    enum Survivors: CaseIterable {
        case nothing, everything, someWrites, someSectors
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [DiskEvent] = []
    }

    private static let sector = 512
    private var files: [Int: File] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [DiskEvent] = []

    mutating func apply(_ event: DiskEvent) {
        switch event {
        case .write(let file, _, _), .resize(let file, _): files[file, default: File()].pending.append(event)
        case .sync(let number):
            var file = files[number, default: File()]
            for event in file.pending { Self.apply(event, to: &file.durable) }
            file.pending = []
            files[number] = file
        case .add, .remove, .rename: pendingNames.append(event)
        case .syncNames:
            for event in pendingNames { Self.apply(event, to: &names) }
            pendingNames = []
        }
    }

    /// Returns the files that exist when the power comes back, by name.
    func files(after survivors: Survivors, seed: Int) -> [String: [UInt8]] {
        var draw = SplitMix64(state: UInt64(seed))
        var names = names
        let kept =
            switch survivors {
            case .nothing: 0
            case .everything: pendingNames.count
            case .someWrites, .someSectors: draw.next(pendingNames.count + 1)
            }
        for event in pendingNames.prefix(kept) { Self.apply(event, to: &names) }
        var result: [String: [UInt8]] = [:]
        for (name, number) in names.sorted(by: { $0.key < $1.key }) {
            let file = files[number, default: File()]
            var bytes = file.durable
            for event in file.pending {
                switch survivors {
                case .nothing: break
                case .everything: Self.apply(event, to: &bytes)
                case .someWrites: if draw.next(2) == 0 { Self.apply(event, to: &bytes) }
                case .someSectors:
                    for piece in Self.sectors(of: event) where draw.next(2) == 0 { Self.apply(piece, to: &bytes) }
                }
            }
            // This file is mapped into memory, so any of it may have reached the disk.
            if name.hasSuffix("-shm") { bytes = (0..<32_768).map { _ in UInt8(draw.next(256)) } }
            result[name] = bytes
        }
        return result
    }

    private static func sectors(of event: DiskEvent) -> [DiskEvent] {
        guard case .write(let file, let offset, let bytes) = event else { return [event] }
        var pieces: [DiskEvent] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sector - (offset + start) % sector)
            pieces.append(.write(file: file, offset: offset + start, bytes: Array(bytes[start..<end])))
            start = end
        }
        return pieces
    }

    private static func apply(_ event: DiskEvent, to content: inout [UInt8]) {
        switch event {
        case .write(_, let offset, let bytes):
            if content.count < offset + bytes.count {
                content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
            }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case .resize(_, let length):
            content =
                length <= content.count
                ? Array(content.prefix(length)) : content + [UInt8](repeating: 0, count: length - content.count)
        case .sync, .add, .remove, .rename, .syncNames: break
        }
    }

    private static func apply(_ event: DiskEvent, to names: inout [String: Int]) {
        switch event {
        case .add(let name, let file): names[name] = file
        case .remove(let name): names[name] = nil
        case .rename(let name, let new): names[new] = names.removeValue(forKey: name)
        case .write, .resize, .sync, .syncNames: break
        }
    }
}
