public import Foundation
public import QuakeModel

/// Minimal feeds in the form in which USGS publishes them.
public enum FeedText {
    /// Returns the document at `address` that contains `features` unchanged and gives their number as `count`.
    public static func document(
        _ address: String, generated: Timestamp, features: [String], count: Int? = nil
    ) -> Data {
        let metadata = """
            {"generated":\(generated.milliseconds),"url":"\(address)","status":200,"count":\(count ?? features.count)}
            """
        let list = features.joined(separator: ",")
        return Data(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":[\#(list)]}"#.utf8)
    }

    public static func feature(_ quake: Quake, products: String = "") -> String {
        """
        {"type":"Feature","properties":{"mag":\(quake.magnitude ?? 0),"place":"\(quake.place ?? "9 km N of Nowhere")",\
        "time":\(quake.originTime.milliseconds),"updated":\(quake.updated.milliseconds),"status":"automatic",\
        "net":"\(quake.net)","code":"\(quake.code)","ids":"\(quake.ids.text)","sources":",\(quake.net),",\
        "types":",origin,","felt":\(quake.feltReports.map { "\($0)" } ?? "null"),\
        "type":"\(quake.eventType ?? "earthquake")"\(products)},"geometry":{"type":"Point","coordinates":\
        [\(quake.hypocenter.longitude),\(quake.hypocenter.latitude),5]},"id":"\(quake.id)"}
        """
    }
}
