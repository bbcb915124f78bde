package import FoundationEssentials

/// The event service's answer about one quake, with every version of its products.
package struct DetailDocument: Sendable {
    /// Every id of the quake, in lower case.
    package let ids: Set<String>
    /// When USGS last changed the quake.
    package let updated: Timestamp
    package let history: SolutionHistory
    /// Versions and values that were left out, and why.
    package let skipped: [SkippedFeature]

    /// A larger answer is refused. The largest that is known has 2.2 MB.
    package static let mostBytes = 8 << 20
    /// One with more commas is refused: JSONDecoder takes thirty bytes for a value of two. The largest that is known has
    /// some 30,000.
    package static let mostValues = 400_000
    /// So many of the newest versions of each product are read. The most that is known is 241.
    package static let mostVersions = 2000

    /// Reads `body`. What cannot be read is left out; products of other types are passed over.
    package init(_ body: Data) throws(DocumentError) {
        guard body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        guard body.count(where: { $0 == UInt8(ascii: ",") }) <= Self.mostValues else {
            throw .notAFeature(found: "a response of more than \(Self.mostValues) values")
        }
        let answer: Response
        do {
            answer = try JSONDecoder().decode(Response.self, from: body)
        } catch {
            guard !body.isEmpty else { throw .empty }
            _ = try EventDocument(body)
            throw .notAFeature(found: "a response without products")
        }
        ids = Set((PublishedSet(answer.properties.ids ?? "").members + [answer.id]).map { $0.lowercased() })
        updated = Timestamp(milliseconds: answer.properties.updated)
        var reader = ProductReader(products: answer.properties.products)
        history = SolutionHistory([
            .origins: reader.versions(of: .origins), .mechanisms: reader.versions(of: .mechanisms),
            .impacts: reader.course(),
        ])
        skipped = reader.skipped
        // Every quake has an origin. An answer in which none can be read must not replace what was read before.
        guard !history.versions.values.allSatisfy(\.isEmpty), !reader.hasUnreadableOriginsOnly else {
            throw .notAFeature(found: "a response without a product that can be read")
        }
    }

    private struct Response: Decodable {
        struct Properties: Decodable {
            let ids: String?
            let updated: Int64
            let products: [String: [PublishedVersion]]
        }

        let id: String
        let properties: Properties
    }
}
