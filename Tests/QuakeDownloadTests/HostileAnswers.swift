import Foundation
import QuakeTestSupport
import Testing

/// A response that is small on the network but may take much memory.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
    var name: String
    var fields: [String]
    /// The compression methods of the body, the first of which was applied first.
    var encodings: [String] = []
    var body = Data()

    var testDescription: String { name }

    /// Whether the response is refused for its compression, before anything is decompressed.
    var isRefused: Bool { !encodings.isEmpty && encodings != ["gzip"] && encodings != ["x-gzip"] }

    var misbehavior: Misbehavior {
        get throws {
            let body = try encodings.isEmpty ? body : Self.bomb(encodings)
            return .bytes(Data(("HTTP/1.1 200 OK\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }
    }

    static let all = nested + others

    /// Each method once to five times, named in one field, in several, or as a transfer encoding.
    private static let nested = ["gzip", "x-gzip", "deflate", "br", "zstd"].flatMap { method in
        (1...5).flatMap { count -> [HostileAnswer] in
            let encodings = Array(repeating: method, count: count)
            let list = encodings.joined(separator: ", ")
            let separate = encodings.map { "Content-Encoding: \($0)" }
            let answers = [
                HostileAnswer(name: list, fields: ["Content-Encoding: \(list)"], encodings: encodings),
                HostileAnswer(
                    name: "\(list) in the transfer", fields: ["Transfer-Encoding: \(list)"], encodings: encodings),
                HostileAnswer(name: "\(list) in separate fields", fields: separate, encodings: encodings),
            ]
            return count == 1 ? Array(answers.prefix(2)) : count == 5 ? answers : Array(answers.prefix(1))
        }
    }

    private static let others = [
        HostileAnswer(
            name: "in the content and the transfer", fields: ["Content-Encoding: gzip", "Transfer-Encoding: gzip"],
            encodings: ["gzip", "gzip"]),
        HostileAnswer(name: "4,000 fields", fields: (0..<4000).map { "X-\($0): " + String(repeating: "x", count: 60) }),
        HostileAnswer(name: "a field of 90 kB", fields: ["ETag: " + String(repeating: "x", count: 90_000)]),
        HostileAnswer(name: "a field of 900 kB", fields: ["ETag: " + String(repeating: "x", count: 900_000)]),
        HostileAnswer(
            name: "a long chunk extension", fields: ["Transfer-Encoding: chunked"],
            body: Data(("1;" + String(repeating: "x", count: 10_000_000) + "\r\n{\r\n0\r\n\r\n").utf8)),
    ]

    /// Returns a body compressed with each of `encodings`, which takes as much memory as possible to decompress.
    private static func bomb(_ encodings: [String]) throws -> Data {
        var body = Data(repeating: 0x20, count: 1 << 20)
        for encoding in encodings {
            body =
                switch encoding {
                case "zstd": zstdBomb(around: body)
                case "deflate", "br": Data(repeating: 0x78, count: 100) + body
                default: try ServedAnswer.compressed(body).body
                }
        }
        return body
    }

    /// Returns a zstd frame with a window of 128 MB (RFC 8878). It contains a skippable frame of zeros, which fill the
    /// window, and then `inner`, so that each of several nested decoders fills a window of its own.
    private static func zstdBomb(around inner: Data) -> Data {
        func block(_ size: Int, isRepeated: Bool, isLast: Bool = false) -> Data {
            let header = size << 3 | (isRepeated ? 2 : 0) | (isLast ? 1 : 0)
            return Data([UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)])
        }
        let blockSize = 128 << 10
        let blocks = 1024
        let zeros = UInt32(blockSize * blocks)
        let skippable = Data([0x50, 0x2A, 0x4D, 0x18]) + withUnsafeBytes(of: zeros.littleEndian) { Data($0) }
        var frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3])
        frame += block(skippable.count, isRepeated: false) + skippable
        for _ in 0..<blocks { frame += block(blockSize, isRepeated: true) + [0] }
        var rest = inner[...]
        while !rest.isEmpty {
            let piece = rest.prefix(blockSize)
            frame += block(piece.count, isRepeated: false) + piece
            rest = rest.dropFirst(piece.count)
        }
        return frame + block(0, isRepeated: false, isLast: true)
    }
}
