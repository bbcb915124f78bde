package import FoundationEssentials

/// The event service's response about one quake, with every version of its products.
package struct DetailDocument: Sendable {
    /// Every id of the quake in lowercase.
    package let ids: Set<String>
    /// The time of USGS's last change to the quake.
    package let updated: Timestamp
    package let history: SolutionHistory
    /// The quake as a feed describes it, with the uncertainties of its preferred origin; nil if its values cannot be
    /// read.
    package let quake: Quake?
    /// The omitted versions and values, with the reasons.
    package let skipped: [SkippedFeature]

    /// The maximum size of a response in bytes. The largest known response has 2.2 MB.
    package static let maximumBytes = 8 << 20
    /// The maximum number of commas in a response, which limits its values: JSONDecoder takes 30 bytes of memory for a
    /// value of two bytes. The largest known response has about 30,000.
    package static let maximumValues = 400_000
    /// The maximum number of versions read per product, newest first. The largest known number is 241.
    package static let maximumVersions = 2000

    /// Reads `body`. Unreadable parts are left out, and so are types of products that the program does not use.
    package init(_ body: Data) throws(DocumentError) {
        guard body.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        guard body.count(where: { $0 == UInt8(ascii: ",") }) <= Self.maximumValues else {
            throw .notAFeature(found: "a response of more than \(Self.maximumValues) values")
        }
        let answer: Response
        do {
            answer = try JSONDecoder().decode(Response.self, from: body)
        } catch {
            guard !body.isEmpty else { throw .empty }
            _ = try EventDocument(body)
            throw .withoutProducts
        }
        ids = Set((PublishedSet(answer.properties.ids ?? "").members + [answer.id]).map { $0.lowercased() })
        updated = Timestamp(milliseconds: answer.properties.updated)
        var reader = ProductReader(products: answer.properties.products)
        history = SolutionHistory([
            .origins: reader.versions(of: .origins), .mechanisms: reader.versions(of: .mechanisms),
            .impacts: reader.preferredValuesOverTime(),
        ])
        switch answer.quake {
        case .success(var quake):
            if let origin = history.preferred(.origins) { quake.set(QuakeProperty.uncertainties, from: origin) }
            self.quake = quake
            skipped = reader.skipped
        case .failure(let defect):
            quake = nil
            skipped = reader.skipped + [SkippedFeature(position: 0, id: "values of the quake", defect: defect)]
        }
        // A response without a readable product, or with only unreadable origins, must not replace an earlier response.
        guard !history.versions.values.allSatisfy(\.isEmpty), !reader.hasUnreadableOriginsOnly else {
            throw .withoutProducts
        }
    }

    private struct Response: Decodable {
        struct Properties: Decodable {
            let ids: String?
            let updated: Int64
            let products: [String: [PublishedVersion]]
        }

        private enum Member: CodingKey {
            case id, properties
        }

        let id: String
        let properties: Properties
        let quake: Result<Quake, FeatureDefect>

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            id = try members.decode(String.self, forKey: .id)
            properties = try members.decode(Properties.self, forKey: .properties)
            do {
                quake = .success(try GeoJSONFeature(from: decoder).quake)
            } catch let defect as FeatureDefect {
                quake = .failure(defect)
            } catch let error as DecodingError {
                quake = .failure(FeatureDefect(error))
            }
        }
    }
}
