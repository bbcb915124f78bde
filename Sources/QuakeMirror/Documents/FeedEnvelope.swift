import FoundationEssentials

/// The metadata of a document.
package struct FeedEnvelope: Hashable, Sendable {
    /// The time at which the source generated the document, in whole seconds; used to order snapshots (rule 10).
    package var generated: Timestamp?
    /// The document's URL according to the source, without credentials (``/QuakeModel/WebAddress``).
    package var url: String?
    /// The number of features according to the document; nil if it does not say.
    package var count: Int?

    /// The summary feed to which ``url`` belongs; nil for any other document.
    package var feedName: FeedName? { url.flatMap { FeedName(address: $0) } }

    /// Creates the metadata of a document that contains none, such as CSV.
    init(generated: Timestamp?) { self.generated = generated }

    /// Decodes the metadata. Throws for anything but a valid FeatureCollection; the detail feed of one quake, for
    /// example, is rejected.
    init(decoding envelope: Data) throws(DocumentError) {
        let raw: Raw
        do {
            raw = try JSONDecoder().decode(Raw.self, from: envelope)
        } catch DecodingError.dataCorrupted(let context) {
            throw .notJSON(offset: 0, reason: context.reason)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context)
        {
            let member = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .notAFeatureCollection(
                found: member.isEmpty ? "no object" : "an object in which \"\(member)\" has the wrong type")
        } catch {
            throw .notJSON(offset: 0, reason: "\(error)")
        }
        guard raw.type == "FeatureCollection" else {
            throw .notAFeatureCollection(found: raw.type.map { "a \($0)" } ?? "an object without a type")
        }
        guard raw.features != nil else { throw .notAFeatureCollection(found: "one without a list of features") }
        if let status = raw.metadata?.status, status >= 400 {
            let cause = (raw.metadata?.error ?? raw.metadata?.title).map { ", \($0)" } ?? ""
            throw DocumentError(.broken, "it reports a failure (status \(status)\(cause))")
        }
        generated = raw.metadata?.generated.map(Timestamp.init(milliseconds:))
        if let generated, !Timestamp.representable.contains(generated) {
            throw .notAFeatureCollection(found: "an object whose metadata.generated is not a time")
        }
        url = raw.metadata?.url.flatMap { WebAddress.isAddress($0) ? WebAddress.redacted($0) : nil }
        count = raw.metadata?.count
    }

    private struct Raw: Decodable {
        var type: String?
        var metadata: Metadata?
        var features: [Never?]?

        struct Metadata: Decodable {
            var generated: Int64?
            var url: String?
            var title: String?
            var error: String?
            var status: Int?
            var count: Int?
        }
    }
}
