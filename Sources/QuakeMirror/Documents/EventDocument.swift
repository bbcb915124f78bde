package import FoundationEssentials

/// The event service's response about one quake: a GeoJSON Feature outside a collection.
package struct EventDocument: Sendable {
    /// The quake, without unknown properties, because in this response the unknown properties include all products.
    package let quake: Quake

    package init(_ body: Data) throws(DocumentError) {
        do {
            let decoder = JSONDecoder()
            let body = body.withUnsafeBytes { Data(JSONRepair($0).text) }
            let type = try decoder.decode(Kind.self, from: body).type
            guard type == "Feature" else {
                throw DocumentError.notAFeature(found: type.map { "a \($0)" } ?? "an object without a type")
            }
            quake = try decoder.decode(GeoJSONFeature.self, from: body).quake
        } catch let error as DocumentError {
            throw error
        } catch let defect as FeatureDefect {
            throw .badFeatures([SkippedFeature(position: 1, id: nil, defect: defect)])
        } catch DecodingError.dataCorrupted(let context) {
            throw .notJSON(offset: 0, reason: context.reason)
        } catch {
            throw .notAFeature(found: "a list or a single value")
        }
    }

    private struct Kind: Decodable {
        var type: String?
    }
}
