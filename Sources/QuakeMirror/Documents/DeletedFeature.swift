import FoundationEssentials

/// A feature for a quake that the event service has deleted.
package struct DeletedFeature: Hashable, Sendable {
    package let index: Int
    /// The feature's own id in lowercase; nil if it has none.
    package let id: String?
    /// All ids of the feature in lowercase.
    package let ids: Set<String>
    /// The time of the deletion; nil if the feature does not contain it.
    package let updated: Timestamp?
}

extension FeedSnapshot {
    /// Returns the features with the status `deleted`, which the event service includes on request (`includedeleted`).
    /// Everything but their ids may be missing. A feature with too many or too long ids does not count as deleted; it
    /// is read like any other feature, and skipped as unreadable.
    package func deletedFeatures() -> [DeletedFeature] { features.indices.compactMap(deletedFeature) }

    /// Returns the feature at `index` if it has the status `deleted`; otherwise nil.
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
            .split(separator: ",", maxSplits: Quake.maximumIDs).map(String.init)
        // No quake has so many ids, or such long ones.
        guard listed.count <= Quake.maximumIDs, listed.allSatisfy({ $0.utf8.count <= Quake.maximumIDBytes }) else {
            return nil
        }
        let id = raw.id?.lowercased()
        return DeletedFeature(
            index: index, id: id, ids: Set(listed + [id].compactMap { $0 }),
            updated: raw.properties?.updated.map(Timestamp.init(milliseconds:)))
    }
}

private struct RawDeletion: Decodable {
    var id: String?
    var properties: Properties?

    struct Properties: Decodable {
        var status: String?
        var ids: String?
        var updated: Int64?
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes contain `word` in any case. `word` must consist of lowercase ASCII letters.
    fileprivate func mentions(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0...count - length).contains { start in
            (0..<length).allSatisfy { self[start + $0] | 0x20 == word.utf8Start[$0] }
        }
    }
}
