import Foundation

@testable import QuakeMirror

/// A document's features decoded in the plainest way: in order, on one thread, each by its own JSONDecoder.
struct PlainDecoding {
    /// The result for each feature, without unknown properties.
    let results: [Result<Quake, FeatureDefect>]

    init(_ snapshot: FeedSnapshot) {
        results = snapshot.features.map { feature in
            let repaired = Data(snapshot.body)[feature.range].withUnsafeBytes { JSONRepair($0) }
            guard repaired.depth <= 512 else {
                return .failure(FeatureDefect("it is nested more than 512 levels deep"))
            }
            do {
                return .success(try JSONDecoder().decode(GeoJSONFeature.self, from: Data(repaired.text)).quake)
            } catch let defect as FeatureDefect {
                return .failure(defect)
            } catch let error as DecodingError {
                return .failure(FeatureDefect(error))
            } catch {
                return .failure(.notJSON("\(error)"))
            }
        }
    }

    /// The unknown members of a feature's properties, as read by JSONSerialization.
    static func unknownProperties(ofFeature bytes: Data) throws -> NSDictionary {
        let feature = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        let properties = feature?["properties"] as? [String: Any] ?? [:]
        let known = Set(QuakeProperty.inFeatures.map(\.rawValue))
        return properties.filter { !known.contains($0.key) } as NSDictionary
    }
}
