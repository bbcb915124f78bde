/// The part of a response before the body.
package struct TransportResponseHead: Hashable, Sendable {
    package var status: Int
    package var headers: [String: String]
    package var url: String

    /// Creates a head, converting the names in `headers` to lowercase.
    package init(status: Int, headers: [String: String], url: String) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.url = url
    }

    /// The length of the body in bytes; nil if the server has not announced it or compresses the body.
    package var announcedBodyLength: Int? {
        guard encodings.isEmpty else { return nil }
        return headers["content-length"].flatMap { Int($0) }
    }

    /// The compression methods of the body, in lowercase, in the order in which they were applied.
    private var encodings: [String] {
        ["content-encoding", "transfer-encoding"].compactMap { headers[$0] }
            .flatMap { $0.lowercased().split { ", \t".contains($0) } }.map(String.init)
            .filter { !["identity", "chunked"].contains($0) }
    }

    /// Throws unless the body is uncompressed, or compressed once with gzip, the only method that requests ask for.
    /// libcurl decodes up to five methods in a row, each of which may take 128 MB of memory.
    package func requireKnownEncoding() throws(TransportError) {
        let encodings = encodings
        guard encodings.isEmpty || encodings == ["gzip"] || encodings == ["x-gzip"] else {
            let names = String(encodings.joined(separator: ", ").prefix(100))
            throw TransportError(
                .unusableResponse,
                "The response from \(TransportRequest.host(of: url)) was rejected: it is compressed with \(names), but "
                    + "only gzip was requested.")
        }
    }
}
