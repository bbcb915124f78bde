import Foundation
import QuakeTestSupport

/// One line of a series' TRUTH.jsonl: the differences between two successive snapshots, computed independently.
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

    /// Returns the lines for the series at `path`; none if nothing ever differs in it.
    static func lines(ofSeries path: String) throws -> [Truth] {
        guard FileManager.default.fileExists(atPath: try RealData.url("\(path)/TRUTH.jsonl").path) else { return [] }
        return try RealData.data("\(path)/TRUTH.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Truth.self, from: Data($0)) }
    }
}
