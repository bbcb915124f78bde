public import FoundationEssentials
public import QuakeModel

/// The event service's answer about one quake: a bare GeoJSON Feature.
public struct EventDocument: Sendable {
    /// The quake as the service knows it. Unknown properties are left out: the service adds every product there is.
    public let quake: Quake

    /// Reads `body`.
    public init(_ body: Data) throws(DocumentError) {
        do {
            let decoder = JSONDecoder()
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
            throw .notJSON(offset: 0, reason: context.debugDescription)
        } catch {
            throw .notAFeature(found: "a list or a single value")
        }
    }

    private struct Kind: Decodable {
        var type: String?
    }
}
