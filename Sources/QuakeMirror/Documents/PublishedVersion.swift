import FoundationEssentials

/// A version of a product as sent by the event service, or the reason it cannot be read.
struct PublishedVersion: Decodable {
    private enum Member: String, CodingKey {
        case source, code, updateTime, status, preferredWeight, properties
    }

    /// A JSON string, or a number converted to a string; nil for any other value.
    private struct LenientString: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = (try? container.decode(String.self)) ?? (try? container.decode(Double.self)).map { "\($0)" }
        }
    }

    /// A version, whose values and product type are set later.
    struct Content {
        var version: SolutionVersion
        /// The published properties; nil if the version deletes the product.
        var properties: [String: String]?

        /// Returns the product that the version names if it has no values of its own, as is possible for
        /// `trump-origin`; nil for any other version.
        func target(_ kind: SolutionKind) -> ProductPointers.Name? {
            guard let properties, let source = properties["trump-source"], let code = properties["trump-code"],
                kind.values(of: properties).values == nil
            else { return nil }
            return ProductPointers.Name(source: source, code: code)
        }
    }

    let content: Result<Content, FeatureDefect>

    init(from decoder: any Decoder) throws {
        do {
            let members = try decoder.container(keyedBy: Member.self)
            let published = Timestamp(milliseconds: try members.decode(Int64.self, forKey: .updateTime))
            let version = SolutionVersion(
                product: "", source: try members.decode(String.self, forKey: .source),
                code: try members.decode(String.self, forKey: .code), published: published,
                weight: try members.decodeIfPresent(Int64.self, forKey: .preferredWeight) ?? 0)
            for (member, text) in [("source", version.source), ("code", version.code)]
            where !Quake.isPlainID(text) || text.utf8.count > 100 {
                throw FeatureDefect.wrongKind(member: member, expected: "short printable ASCII")
            }
            guard Timestamp.representable.contains(published) else {
                throw FeatureDefect.outOfRange(member: "updateTime", value: "\(published.milliseconds)")
            }
            let isDeleted = try members.decodeIfPresent(String.self, forKey: .status)?.uppercased() == "DELETE"
            let properties = try members.decodeIfPresent([String: LenientString].self, forKey: .properties) ?? [:]
            content = .success(
                Content(version: version, properties: isDeleted ? nil : properties.compactMapValues(\.text)))
        } catch let defect as FeatureDefect {
            content = .failure(defect)
        } catch let error as DecodingError {
            content = .failure(FeatureDefect(error))
        }
    }
}
