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
    private let room = DispatchSemaphore(value: FeatureDecoder.chunksAhead)
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
        let decoder = JSONDecoder()
        return indices[range].map { index in
            do {
                return .success(try snapshot.decode(index, with: decoder))
            } catch let defect as FeatureDefect {
                return .failure(defect)
            } catch DecodingError.dataCorrupted(let context) {
                return .failure(.notJSON(context.debugDescription))
            } catch {
                return .failure(.notJSON("\(error)"))
            }
        }
    }
}

extension FeedSnapshot {
    /// Decodes the feature at `index`.
    fileprivate func decode(_ index: Int, with decoder: JSONDecoder) throws -> Quake {
        let start = body.startIndex
        let range = features[index].range
        let bytes = body[start + range.lowerBound..<start + range.upperBound]
        let feature = try decoder.decode(GeoJSONFeature.self, from: bytes)
        var quake = feature.quake
        if bytes.withUnsafeBytes(UnknownProperties.memberCount) != feature.knownProperties {
            quake.extra = try decoder.decode(UnknownProperties.self, from: bytes).json
        }
        return quake
    }
}
