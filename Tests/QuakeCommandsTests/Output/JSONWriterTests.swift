import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct JSONWriterTests {
    private func written(_ body: (JSONWriter) throws -> Void) throws -> String {
        let json = JSONWriter()
        try body(json)
        return json.drain { String(decoding: $0, as: UTF8.self) }
    }

    @Test("JSONWriter writes commas only between members and elements") func commas() throws {
        let text = try written { json in
            json.object {
                json.member("kind", "end")
                json.member("count", 3)
                json.object("empty") {}
                json.member("ids", ["a", "b"])
                json.member("none", [String]())
                json.array("nested") {
                    json.array { json.value(1.5) }
                    json.value(nil)
                    json.object { json.member("x", true) }
                }
                json.member("last", nil)
            }
            json.putOutsideRecords("\n")
            json.object {}
            json.putOutsideRecords("\n")
        }
        #expect(
            text == """
                {"kind":"end","count":3,"empty":{},"ids":["a","b"],"none":[],"nested":[[1.5],null,{"x":true}],"last":null}
                {}

                """)
        _ = try parsedJSON(text.split(separator: "\n")[0])
    }

    @Test("JSONWriter writes missing values and NaN as null") func missingValues() throws {
        let text = try written { json in
            json.array {
                json.value(nil as String?)
                json.value(nil as Int?)
                json.value(nil as Double?)
                json.value(Double.nan)
                json.value(nil as Bool?)
                json.value(nil as Timestamp?)
            }
        }
        #expect(text == "[null,null,null,null,null,null]")
    }

    @Test("JSONWriter writes the fields of a quake as quakes list --format ndjson prints them") func quakes() throws {
        var quake = Quake.inAlaska()
        quake.extra = "{\"a\":1}"
        let record = try written { json in json.object { json.members(QuakeProperty.allCases, of: quake) } }
        #expect(try rendered([quake], as: .ndjson) == record + "\n")
        let partial = try written { json in
            json.object {
                json.member("before", nil)
                json.object("after") { json.members([.mag], of: quake) }
            }
        }
        #expect(partial == "{\"before\":null,\"after\":{\"mag\":4.5}}")
    }

    @Test("JSONWriter escapes member names and text") func escaping() throws {
        let text = try written { json in json.object { json.member("a\"b", "\u{1B}\\") } }
        #expect(text == "{\"a\\\"b\":\"\\u001b\\\\\"}")
    }
}
