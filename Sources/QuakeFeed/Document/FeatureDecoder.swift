import Dispatch
import FoundationEssentials
public import QuakeModel
import Synchronization

/// Decodes features of a snapshot, ahead of their use and on two cores.
///
/// Need: the first import spends as long in JSONDecoder as in SQLite. Hazard: order must not depend on which core was
/// faster, and memory must not grow with the document. Choice: chunks in the order of the document, a worker that stays at most a
/// few chunks ahead, and a consumer that decodes a chunk itself when the worker has not come to it. Price: two locks.
public final class FeatureDecoder: Sendable {
    /// A feature, or what is wrong with it.
    public typealias Decoded = (index: Int, result: Result<Quake, FeatureDefect>)

    private static let chunkSize = 64
    private static let chunksAhead = 8

    private let snapshot: FeedSnapshot
    private let indices: [Int]
    private let chunkCount: Int
    private let state = Mutex(State())
    /// Starts at zero and is raised: one released below the value it started with ends the process, and a reader that stops
    /// leaves chunks that nobody takes.
    private let room = DispatchSemaphore(value: 0)
    private let progress = DispatchSemaphore(value: 0)

    private struct State {
        var nextUnclaimed = 0
        var finished: [Int: [Result<Quake, FeatureDefect>]] = [:]
        var isCancelled = false
    }

    /// A decoder of the features at `indices`, in that order.
    public init(_ snapshot: FeedSnapshot, indices: [Int]) {
        self.snapshot = snapshot
        self.indices = indices
        chunkCount = (indices.count + FeatureDecoder.chunkSize - 1) / FeatureDecoder.chunkSize
        for _ in 0..<FeatureDecoder.chunksAhead { room.signal() }
    }

    /// Calls `body` with every feature in order, on the caller's thread, while a second one decodes ahead.
    public func forEach(_ body: (Decoded) throws -> Void) rethrows {
        if chunkCount > 1 { DispatchQueue.global().async { self.workAhead() } }
        defer {
            state.withLock { $0.isCancelled = true }
            room.signal()
        }
        for chunk in 0..<chunkCount {
            for (offset, result) in take(chunk).enumerated() {
                try body((indices[chunk * FeatureDecoder.chunkSize + offset], result))
            }
        }
    }

    private func take(_ chunk: Int) -> [Result<Quake, FeatureDefect>] {
        while true {
            let (finished, isMine) = state.withLock { state -> ([Result<Quake, FeatureDefect>]?, Bool) in
                if let finished = state.finished.removeValue(forKey: chunk) { return (finished, false) }
                guard state.nextUnclaimed <= chunk else { return (nil, false) }
                state.nextUnclaimed = chunk + 1
                return (nil, true)
            }
            if let finished {
                room.signal()
                return finished
            }
            if isMine { return decode(chunk) }
            progress.wait()
        }
    }

    private func workAhead() {
        while true {
            room.wait()
            let chunk = state.withLock { state -> Int? in
                guard !state.isCancelled, state.nextUnclaimed < chunkCount else { return nil }
                state.nextUnclaimed += 1
                return state.nextUnclaimed - 1
            }
            guard let chunk else { return }
            let results = decode(chunk)
            state.withLock { $0.finished[chunk] = results }
            progress.signal()
        }
    }

    private func decode(_ chunk: Int) -> [Result<Quake, FeatureDefect>] {
        let range = chunk * FeatureDecoder.chunkSize..<min((chunk + 1) * FeatureDecoder.chunkSize, indices.count)
        return snapshot.decode(indices[range])
    }
}

extension FeedSnapshot {
    /// Decodes the features at `indices`: as one list, since each call of JSONDecoder costs as much as a third of a feature;
    /// one by one when the list cannot be read because of one of them.
    fileprivate func decode(_ indices: ArraySlice<Int>) -> [Result<Quake, FeatureDefect>] {
        let decoder = JSONDecoder()
        let decoded = body.withUnsafeBytes { bytes -> [Result<Quake, FeatureDefect>]? in
            var list = Data(capacity: indices.reduce(2) { $0 + features[$1].range.count + 1 })
            list.append(JSONByte.openBracket)
            for index in indices {
                if list.count > 1 { list.append(JSONByte.comma) }
                list.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[features[index].range]))
            }
            list.append(JSONByte.closeBracket)
            return try? decoder.decode([FeatureOutcome].self, from: list).map(\.result)
        }
        guard var results = decoded, results.count == indices.count else {
            return indices.map { decodeAlone($0, with: decoder) }
        }
        for (position, index) in indices.enumerated() {
            guard let extra = extra(at: index) else { continue }
            results[position] = results[position].map { $0.with(extra: extra) }
        }
        return results
    }

    private func decodeAlone(_ index: Int, with decoder: JSONDecoder) -> Result<Quake, FeatureDefect> {
        do {
            let result = try decoder.decode(FeatureOutcome.self, from: bytes(of: index)).result
            return result.map { $0.with(extra: extra(at: index)) }
        } catch let error as DecodingError {
            return .failure(FeatureDefect(error))
        } catch {
            return .failure(.notJSON("\(error)"))
        }
    }

    private func bytes(of index: Int) -> Data {
        let range = features[index].range
        return body[body.startIndex + range.lowerBound..<body.startIndex + range.upperBound]
    }

    /// The properties that this program does not know.
    private func extra(at index: Int) -> String? {
        body.withUnsafeBytes { bytes in
            UnknownProperties.json(in: UnsafeRawBufferPointer(rebasing: bytes[features[index].range]))
        }
    }
}

/// A feature, or what is wrong with it: a bad one does not spoil the list it is decoded with.
private struct FeatureOutcome: Decodable {
    let result: Result<Quake, FeatureDefect>

    init(from decoder: any Decoder) throws {
        do {
            result = .success(try GeoJSONFeature(from: decoder).quake)
        } catch let defect as FeatureDefect {
            result = .failure(defect)
        } catch let error as DecodingError {
            result = .failure(FeatureDefect(error))
        }
    }
}

extension Quake {
    fileprivate func with(extra: String?) -> Quake {
        guard let extra else { return self }
        var quake = self
        quake.extra = extra
        return quake
    }
}
