import Dispatch
import FoundationEssentials
import QuakeSystem
import Synchronization

/// Decodes features of a snapshot on a second thread, ahead of the thread that uses them, because a first import spends
/// a third of its processor time in JSONDecoder.
///
/// The features are decoded in chunks and returned in the order requested. The second thread is at most three chunks
/// ahead. One or two chunks are not worth a second thread.
package final class FeatureDecoder: Sendable {
    package typealias Decoded = (index: Int, result: Result<Quake, FeatureDefect>)
    /// Features that have already been decoded, keyed by index.
    package typealias Known = [Int: Result<Quake, FeatureDefect>]

    /// The nesting depth beyond which JSONDecoder rejects a document.
    fileprivate static let maximumDepth = 512

    private static let chunkSize = 64
    /// The size in bytes at which a chunk ends. The feature that reaches this size is part of the chunk.
    private static let chunkBytes = 256 << 10
    private static let chunksAhead = 3

    private let snapshot: FeedSnapshot
    private let known: Known
    private let indices: [Int]
    /// The chunks, as ranges of positions in ``indices``.
    private let chunks: [Range<Int>]
    private let state = Mutex(State())
    /// Starts at zero and is then signaled, because destroying a semaphore below its initial value crashes, and
    /// ``forEach(_:)`` may end before it has taken all chunks.
    private let roomSignal = DispatchSemaphore(value: 0)
    private let progressSignal = DispatchSemaphore(value: 0)

    private struct State {
        /// The decoded chunks that the consumer has not taken yet.
        var finished: [[Result<Quake, FeatureDefect>]] = []
        var isCancelled = false
    }

    /// Creates a decoder for the features at `indices`, in that order.
    package init(_ snapshot: FeedSnapshot, indices: [Int], known: Known = [:]) {
        self.snapshot = snapshot
        self.indices = indices
        self.known = known
        chunks = FeatureDecoder.chunks(of: indices, in: snapshot)
        for _ in 0..<FeatureDecoder.chunksAhead { roomSignal.signal() }
    }

    private static func chunks(of indices: [Int], in snapshot: FeedSnapshot) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for (place, index) in indices.enumerated() {
            bytes += snapshot.features[index].range.count
            guard place + 1 - start == chunkSize || bytes >= chunkBytes || place + 1 == indices.count else { continue }
            chunks.append(start..<place + 1)
            start = place + 1
            bytes = 0
        }
        return chunks
    }

    /// Calls `body` with every feature in order, on the caller's thread, while another thread decodes ahead.
    package func forEach(_ body: (Decoded) throws -> Void) rethrows {
        let hasWorker = chunks.count > 2 && ThreadStarter.start { self.workAhead() }
        defer {
            state.withLock { $0.isCancelled = true }
            roomSignal.signal()
        }
        for chunk in chunks {
            for (place, result) in zip(chunk, hasWorker ? takeNext() : decode(chunk)) {
                try body((indices[place], result))
            }
        }
    }

    private func takeNext() -> [Result<Quake, FeatureDefect>] {
        progressSignal.wait()
        roomSignal.signal()
        return state.withLock { $0.finished.removeFirst() }
    }

    private func workAhead() {
        for chunk in chunks {
            roomSignal.wait()
            guard !state.withLock(\.isCancelled) else { return }
            let results = decode(chunk)
            state.withLock { $0.finished.append(results) }
            progressSignal.signal()
        }
    }

    private func decode(_ chunk: Range<Int>) -> [Result<Quake, FeatureDefect>] {
        let quakes = snapshot.decode(indices[chunk], known)
        guard let uncertainties = snapshot.uncertainties else { return quakes }
        return quakes.map { $0.map(uncertainties.completing) }
    }
}

extension FeedSnapshot {
    /// Decodes the features at `indices`.
    fileprivate func decode(
        _ indices: ArraySlice<Int>, _ known: FeatureDecoder.Known
    ) -> [Result<Quake, FeatureDefect>] {
        guard let table else { return decodeJSON(indices, known) }
        return body.withUnsafeBytes { bytes in
            indices.map { index in
                known[index] ?? features[index].sizeDefect.map { .failure($0) }
                    ?? Result {
                        var reader = try CSVPropertyReader(table.header, bytes, features[index].range)
                        return try reader.quake()
                    }
                    .mapError { $0 as? FeatureDefect ?? FeatureDefect("\($0)") }
            }
        }
    }

    /// Decodes GeoJSON features as rows (``FeatureRow``) in a single call of JSONDecoder, because each call costs as
    /// much as a whole row. Features that cannot become rows are decoded one by one.
    private func decodeJSON(
        _ indices: ArraySlice<Int>, _ known: FeatureDecoder.Known
    ) -> [Result<Quake, FeatureDefect>] {
        let decoder = JSONDecoder()
        // `outcomes` has a value for each feature: whether it has unknown properties; nil if it is not among the rows.
        let (outcomes, list) = body.withUnsafeBytes { bytes in
            var writer = FeatureRow.Writer(bytes)
            let outcomes = indices.map { index in
                features[index].isTooLarge || known[index] != nil ? nil : writer.append(features[index].range)
            }
            return (outcomes, writer.finish())
        }
        var rows = ((try? decoder.decode([FeatureRow].self, from: list)) ?? []).makeIterator()
        return zip(indices, outcomes).map { index, hasUnknownProperties in
            if let result = known[index] { return result }
            guard let hasUnknownProperties, let quake = rows.next()?.quake else {
                return decodeAlone(index, with: decoder)
            }
            return .success(hasUnknownProperties ? quake.with(extra: extra(at: index)) : quake)
        }
    }

    private func decodeAlone(_ index: Int, with decoder: JSONDecoder) -> Result<Quake, FeatureDefect> {
        if let defect = features[index].sizeDefect { return .failure(defect) }
        let repaired = body.withUnsafeBytes { JSONRepair(UnsafeRawBufferPointer(rebasing: $0[features[index].range])) }
        guard repaired.depth <= FeatureDecoder.maximumDepth else {
            return .failure(FeatureDefect("it is nested more than \(FeatureDecoder.maximumDepth) levels deep"))
        }
        do {
            let quake = try decoder.decode(GeoJSONFeature.self, from: Data(repaired.text)).quake
            return .success(quake.with(extra: repaired.text.withUnsafeBytes(UnknownProperties.json)))
        } catch let defect as FeatureDefect {
            return .failure(defect)
        } catch let error as DecodingError {
            return .failure(FeatureDefect(error))
        } catch {
            return .failure(.notJSON("\(error)"))
        }
    }

    /// Returns the text of a feature, with U+FFFD in place of invalid UTF-8.
    func bytes(of index: Int) -> Data {
        body.withUnsafeBytes { Data(String(decoding: $0[features[index].range], as: UTF8.self).utf8) }
    }

    /// Returns the properties that this program does not know, as JSON; nil if there are none.
    private func extra(at index: Int) -> String? {
        body.withUnsafeBytes { bytes in
            UnknownProperties.json(in: UnsafeRawBufferPointer(rebasing: bytes[features[index].range]))
        }
    }
}

extension FeatureSpan {
    fileprivate var sizeDefect: FeatureDefect? {
        isTooLarge ? FeatureDefect("it is too long (\(range.count) bytes)") : nil
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
