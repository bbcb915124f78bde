import Foundation
import QuakeTestSupport

/// One line of a series' TRUTH.jsonl: what differs between two successive snapshots, computed independently.
struct Truth: Decodable {
    var to: String
    var inserted: [String]?
    var reappeared: [String]?
    var vanished: [String]?
    var updated: [String: [String]]?
    var stampBack: [String]?
    var renamed: [String: String]?
    var merged: [String: String]?

    enum CodingKeys: String, CodingKey {
        case to, inserted, reappeared, vanished, updated, renamed, merged
        case stampBack = "stamp_back"
    }

    /// The lines of the series at `path`; a series in which nothing ever differs has none.
    static func lines(ofSeries path: String) throws -> [Truth] {
        guard FileManager.default.fileExists(atPath: try RealData.url("\(path)/TRUTH.jsonl").path) else { return [] }
        return try RealData.data("\(path)/TRUTH.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Truth.self, from: Data($0)) }
    }

    /// The paths of the snapshots of the series at `path`, in their order.
    static func snapshots(ofSeries path: String) throws -> [String] {
        let directory = try RealData.url(path)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".geojson") }.sorted().map { directory.appending(path: $0).path }
    }
}
