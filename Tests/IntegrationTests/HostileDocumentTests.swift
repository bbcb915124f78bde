import Foundation
import QuakeTestSupport
import Testing

/// Serialized, because the peak memory use of each test is measured.
@Suite(
    "Memory limits with hostile documents", .serialized, .endsInTime, .scratch(on: .disk),
    .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
struct HostileDocumentTests {
    /// A quarter of each document suffices to reveal memory that grows with it: old faults took 30 times its size.
    static let share = Thoroughness.isFull ? 1 : 4

    /// A document with the given start and end, and repetitions between, of about that many bytes.
    struct Document: Sendable, CustomTestStringConvertible {
        var name: String
        var start = #"{"type":"FeatureCollection","metadata":{"generated":1773489600000},"features":["#
        var repeated: String
        var end = "]}"
        var bytes = 24_000_000

        var testDescription: String { name }

        func write(to path: String) throws {
            _ = FileManager.default.createFile(atPath: path, contents: Data(start.utf8))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            let piece = Data(String(repeating: repeated, count: max(1, 1_000_000 / repeated.utf8.count)).utf8)
            for _ in 0..<max(1, bytes / HostileDocumentTests.share / piece.count) { try file.write(contentsOf: piece) }
            try file.write(contentsOf: Data(end.utf8))
            try file.close()
        }
    }

    /// A feature up to its `properties`, and the rest of it, including `extra`.
    private static func feature(_ extra: String = "", id: String = "us1", ids: String = "us1") -> String {
        #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[1,2,3]},"properties":"#
            + #"{"net":"us","code":"\#(id.dropFirst(2))","time":1773486000000,"updated":1773486100000,"#
            + #""ids":",\#(ids),","status":"deleted"\#(extra)}}"#
    }

    private static let collection = #"{"type":"FeatureCollection","metadata":{"generated":1773489600000},"features":["#
    private static let open = collection + feature().dropLast(2) + #","odd":"#
    private static let close = "}}]}"

    static let documents = [
        Document(name: "a property of many numbers", start: open + "[1", repeated: ",1", end: "]" + close),
        Document(name: "a property of many objects", start: open + "[{}", repeated: #",{"a":{}}"#, end: "]" + close),
        Document(
            name: "a property of deep lists", start: open + "[1", repeated: ",[[[[[[[[1]]]]]]]]", end: "]" + close),
        Document(name: "a long text", start: open + "\"", repeated: "x", end: "\"" + close),
        Document(name: "a long text of escapes", start: open + "\"", repeated: #"\u0041"#, end: "\"" + close),
        Document(name: "a long number", start: open, repeated: "9", end: close),
        Document(name: "many unknown properties", start: open + "1", repeated: #","k":1"#, end: close),
        Document(name: "a long id", start: collection + #"{"id":""#, repeated: "x", end: #""}]}"#),
        Document(name: "many ids", start: collection + #"{"properties":{"ids":""#, repeated: ",us1", end: #""}}]}"#),
        Document(
            name: "many coordinates", start: collection + #"{"geometry":{"coordinates":[1"#, repeated: ",1",
            end: "]}}]}"),
        Document(name: "many empty features", repeated: "{},", end: "{}]}"),
        Document(name: "many equal features", repeated: feature() + ",", end: "{}]}"),
        Document(
            name: "many features of a megabyte",
            repeated: feature(#","odd":["# + String(repeating: "1,", count: 500_000) + "1]") + ",", end: "{}]}"),
        Document(
            name: "many features of 60 kB",
            repeated: feature(#","odd":["# + String(repeating: "{},", count: 20_000) + "1]") + ",", end: "{}]}"),
        Document(
            name: "many unusual features of 60 kB",
            repeated: feature(#","\u006fdd":["# + String(repeating: "{},", count: 20_000) + "1]") + ",", end: "{}]}"),
        Document(
            name: "many deep features",
            repeated: feature(
                #","odd":"# + String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)) + ",",
            end: "{}]}"),
        Document(
            name: "many deletions of many ids",
            repeated: feature(ids: String(repeating: "us1,", count: 25_000)) + ",", end: "{}]}"),
        Document(
            name: "a metadata of many numbers", start: #"{"metadata":{"odd":[1"#, repeated: ",1",
            end: #"]},"features":[]}"#),
        Document(name: "many members beside the features", start: #"{"features":[]"#, repeated: #","k":1"#, end: "}"),
        Document(name: "no features at all", start: "[1", repeated: ",1", end: "]"),
        Document(name: "brackets", start: "", repeated: "[", end: ""),
        Document(name: "as much as may be read", repeated: "{},", end: "{}]}", bytes: 67_000_000),
    ]

    // Proves promise 17 of reliability.md.
    @Test(
        "quakes refresh uses less than 150 MB of memory, even for a malicious feed document",
        arguments: Thoroughness.sample(6, of: documents))
    func hostileFeedMemory(document: Document) async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let path = scratch.path("feed.geojson")
        try document.write(to: path)
        let result = try await cache.quakes.runMeasuringMemory(["refresh", path])
        let peak = try #require(result.peakMegabytes)
        #expect([0, 65].contains(result.exitStatus), "\(result.ending)")
        #expect(peak < (Thoroughness.isFull ? 150 : 75), "\(peak)")
    }

    /// Responses about one quake with every version: each begins with its products.
    private static let answer =
        #"{"type":"Feature","id":"us7000zzc4","geometry":null,"properties":{"ids":",us7000zzc4,","updated":1773486100000,"products":{"#
    private static let version = #""source":"us","code":"us7000zzc4","updateTime":1773486100000"#

    static let answers = [
        Document(name: "many numbers as versions", start: answer + #""dyfi":[0"#, repeated: ",0", end: "]}}}"),
        Document(name: "many empty versions", start: answer + #""origin":[{}"#, repeated: ",{}", end: "]}}}"),
        Document(
            name: "many versions without values", start: answer + #""origin":[{}"#, repeated: ",{" + version + "}",
            end: "]}}}"),
        Document(
            name: "many deleted versions", start: answer + #""origin":[{}"#,
            repeated: ",{" + version + #","status":"DELETE"}"#, end: "]}}}"),
        Document(
            name: "a long value", start: answer + #""origin":[{"# + version + #","properties":{"latitude":""#,
            repeated: "9", end: #""}}]}}}"#),
        Document(
            name: "a long number", start: answer + #""origin":[{"# + version + #","properties":{"latitude":"#,
            repeated: "9", end: "}}]}}}"),
        Document(
            name: "a long value of escapes", start: answer + #""origin":[{"# + version + #","properties":{"title":""#,
            repeated: #"\u0041"#, end: #""}}]}}}"#),
        Document(
            name: "a long code", start: answer + #""origin":[{"source":"us","updateTime":1,"code":""#, repeated: "x",
            end: #""}]}}}"#),
        Document(name: "many equal types", start: answer + #""origin":[]"#, repeated: #","origin":[]"#, end: "}}}"),
        Document(
            name: "many ids", start: #"{"id":"us7000zzc4","properties":{"updated":1,"products":{},"ids":""#,
            repeated: ",us1", end: #""}}"#),
        Document(
            name: "a long id", start: #"{"properties":{"updated":1,"products":{}},"id":""#, repeated: "x", end: "\"}"),
        Document(name: "many other members", start: #"{"a":1"#, repeated: #","a":1"#, end: "}"),
        Document(name: "deep lists", start: answer + #""origin":["#, repeated: "[", end: ""),
        Document(name: "a text", start: "\"", repeated: "x", end: "\""),
        Document(
            name: "many mechanisms", start: answer + #""moment-tensor":[{}"#,
            repeated: ",{" + version + #","properties":{"nodal-plane-1-strike":"x"}}"#, end: "]}}}"),
    ]

    @Test(
        "quakes details uses less than 150 MB of memory, even for a malicious response",
        arguments: Thoroughness.sample(6, of: answers))
    func hostileResponseMemory(answer: Document) async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        let path = scratch.path("answer.json")
        var answer = answer
        answer.bytes = 8_300_000 * HostileDocumentTests.share
        try answer.write(to: path)
        let body = try Data(contentsOf: URL(filePath: path))
        #expect(body.count < 8 << 20)
        let server = try FeedServer.ofTest()
        server.serveEverything(.document(body))
        let arguments = ["details", "us7000zzc4", "--format", "json", "--service-url", server.url("/query")]
        let result = try await cache.quakes.runMeasuringMemory(arguments)
        #expect([0, 65].contains(result.exitStatus), "\(result.ending) \(result.errorOutput)")
        #expect(try #require(result.peakMegabytes) < 150)
        #expect(result.output.utf8.count < 20_000)
    }
}
