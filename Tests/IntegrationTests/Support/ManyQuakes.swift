import Foundation

/// A feed too large for a pipe's buffer.
enum ManyQuakes {
    /// Returns an `all_week` feed of `count` quakes, one minute apart.
    static func feed(_ count: Int) -> Data {
        let generated = 1_773_489_600_000
        let features = (0..<count).map { index in
            let time = generated - 60_000 * (index + 1)
            return """
                {"type":"Feature","properties":{"mag":\(index % 7).5,"place":"Place \(index)","time":\(time),\
                "updated":\(time),"status":"automatic","tsunami":0,"sig":1,"net":"us","code":"zz\(index)",\
                "ids":",uszz\(index),","sources":",us,","types":",origin,","magType":"ml","type":"earthquake"},\
                "geometry":{"type":"Point","coordinates":[1.5,2.5,3.5]},"id":"uszz\(index)"}
                """
        }
        let metadata = """
            {"generated":\(generated),"url":"https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_week.geojson",\
            "status":200,"api":"2.7.0","count":\(count)}
            """
        return Data(
            #"{"type":"FeatureCollection","metadata":\#(metadata),"features":[\#(features.joined(separator: ",\n"))]}"#
                .utf8)
    }
}
