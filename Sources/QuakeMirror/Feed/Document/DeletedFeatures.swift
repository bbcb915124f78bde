import FoundationEssentials

/// A feature that stands for a quake which the event service deleted.
package struct DeletedFeature: Hashable, Sendable {
    /// The index of the feature in the document.
    package let index: Int
    /// Its own id, in lower case; nil if it has none.
    package let id: String?
    /// All its ids, in lower case.
    package let ids: Set<String>
}

extension FeedSnapshot {
    /// The features with the status `deleted`, which the event service adds when it is asked for them
    /// (`includedeleted`). They may lack everything but their ids. One with more ids than a quake may have is none: it
    /// is read like any other feature, and skipped.
    package func deletedFeatures() -> [DeletedFeature] { features.indices.compactMap(deletedFeature) }

    /// The feature at `index`, if it has the status `deleted`.
    func deletedFeature(at index: Int) -> DeletedFeature? {
        let range = features[index].range
        let mentions = body.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[range]).mentions("deleted")
        }
        guard mentions, !features[index].isTooLarge,
            let raw = try? JSONDecoder().decode(RawDeletion.self, from: bytes(of: index)),
            raw.properties?.status?.lowercased() == "deleted"
        else { return nil }
        let listed = (raw.properties?.ids ?? "").lowercased()
            .split(separator: ",", maxSplits: Quake.mostIDs).map(String.init)
        // No quake has that many, and what is left of a longer list is no id.
        guard listed.count <= Quake.mostIDs, listed.allSatisfy({ $0.utf8.count <= Quake.mostIDBytes }) else {
            return nil
        }
        let id = raw.id?.lowercased()
        return DeletedFeature(index: index, id: id, ids: Set(listed + [id].compactMap { $0 }))
    }
}

private struct RawDeletion: Decodable {
    var id: String?
    var properties: Properties?

    struct Properties: Decodable {
        var status: String?
        var ids: String?
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `word`, in lower-case letters of ASCII, occurs in these bytes in any case.
    fileprivate func mentions(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0...count - length).contains { start in
            (0..<length).allSatisfy { self[start + $0] | 0x20 == word.utf8Start[$0] }
        }
    }
}
