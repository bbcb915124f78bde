import FoundationEssentials

@testable import QuakeMirror

/// One document, read in two ways that must agree: as in a refresh, and by JSONDecoder. CSV is only read in one.
struct DocumentTrial {
    private let body: Data

    init(_ bytes: UnsafeRawBufferPointer) {
        body = Data(bytes)
    }

    /// Ends the process if the results differ, so that libFuzzer saves the document.
    func run() {
        guard let snapshot = try? FeedSnapshot(body, source: "fuzz") else { return }
        guard !snapshot.isCSV else { return decodeRows(of: snapshot) }
        compareFeatures(of: snapshot)
        compareList(with: snapshot)
    }

    /// Checks that every feature equals what JSONDecoder alone reads from its text, or if it rejects that, from the
    /// repaired text.
    private func compareFeatures(of snapshot: FeedSnapshot) {
        let decoder = JSONDecoder()
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { index, result in
            let range = snapshot.features[index].range
            let span = body[body.startIndex + range.lowerBound..<body.startIndex + range.upperBound]
            let text = Data(String(decoding: span, as: UTF8.self).utf8)
            let repaired = Data(text.withUnsafeBytes { JSONRepair($0) }.text)
            let expected = [text, repaired].lazy.compactMap { try? decoder.decode(GeoJSONFeature.self, from: $0).quake }
                .first
            switch (try? result.get(), expected) {
            case (nil, nil): break
            case (var quake?, let expected?):
                // Only the scanner keeps unknown properties.
                quake.extra = nil
                guard quake == expected else { fatalError("feature \(index) is another quake") }
            case (nil, _?): fatalError("feature \(index) was refused")
            case (_?, nil): fatalError("feature \(index) was accepted")
            }
        }
    }

    /// Checks that the rows of CSV follow one another, and decodes them.
    private func decodeRows(of snapshot: FeedSnapshot) {
        for (span, next) in zip(snapshot.features, snapshot.features.dropFirst())
        where span.range.upperBound >= next.range.lowerBound {
            fatalError("the rows at \(span.range) and \(next.range) overlap")
        }
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { index, result in
            if case .success(let quake) = result, let id = snapshot.id(at: index), id != quake.id {
                fatalError("row \(index) has another id")
            }
        }
    }

    /// Checks that a document readable by JSONDecoder has as many features as the scanner finds, with the same ids.
    private func compareList(with snapshot: FeedSnapshot) {
        guard let document = try? JSONDecoder().decode(PlainDocument.self, from: body) else { return }
        guard document.features.count == snapshot.features.count else { fatalError("the lists differ in length") }
        for (index, feature) in document.features.enumerated() {
            // The scanner leaves ids with escapes to the decoder.
            guard let found = snapshot.id(at: index), let id = feature.id else { continue }
            guard found == id else { fatalError("feature \(index) has another id") }
        }
    }
}

/// A document as read by JSONDecoder alone.
private struct PlainDocument: Decodable {
    let features: [Feature]

    struct Feature: Decodable {
        let id: String?

        init(from decoder: any Decoder) throws {
            id = try? decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .id)
        }

        private enum Key: String, CodingKey {
            case id
        }
    }
}
