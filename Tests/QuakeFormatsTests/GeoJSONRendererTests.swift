import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeFormats

@Suite("GeoJSON") struct GeoJSONRendererTests {
    private func collection(_ quakes: [Quake], fields: [QuakeProperty] = []) throws -> [String: Any] {
        try #require(try parsedJSON(rendered(quakes, as: .geojson, fields: fields)) as? [String: Any])
    }

    @Test("An empty GeoJSON collection has no bounding box") func emptyCollection() throws {
        let text = rendered([], as: .geojson)
        #expect(
            text.hasPrefix("{\"type\":\"FeatureCollection\",\"features\":[],\"metadata\":{")
                && text.hasSuffix("\"count\":0}}\n"))
    }

    @Test("A GeoJSON feature has the same structure as in the USGS feed") func featureShape() throws {
        var quake = Quake.inAlaska()
        quake.extra = "{\"unknown\":[1,2]}"
        let collection = try collection([quake])
        let feature = try #require((collection["features"] as? [[String: Any]])?.first)
        let properties = try #require(feature["properties"] as? [String: Any])
        let geometry = try #require(feature["geometry"] as? [String: Any])
        #expect(feature["type"] as? String == "Feature" && feature["id"] as? String == "us70000abc")
        #expect(geometry["type"] as? String == "Point")
        #expect(geometry["coordinates"] as? [Double] == [-147.25, 64.875, 8.43])
        #expect(properties["time"] as? Int64 == 1_626_986_384_040)
        #expect(properties["mag"] as? Double == 4.5 && properties["felt"] is NSNull)
        #expect(properties["unknown"] as? [Int] == [1, 2])
        #expect(Set(properties.keys) == Set(QuakeProperty.inFeatures.map(\.rawValue) + ["unknown"]))
    }

    @Test("GeoJSON properties include every field except id, lon, lat, depth and extra") func propertiesOfFeed() {
        let elsewhere: Set<QuakeProperty> = [.id, .lon, .lat, .depth, .extra]
        #expect(Set(QuakeProperty.inFeatures) == Set(QuakeProperty.allCases).subtracting(elsewhere))
    }

    @Test("The GeoJSON bounding box encloses all hypocenters, including their depths") func boundingBox() throws {
        var other = Quake.inAlaska("b")
        other.hypocenter = Hypocenter(longitude: 179.5, latitude: -20, depthKilometers: -1.2)
        var third = Quake.inAlaska("c")
        third.hypocenter.depthKilometers = nil
        let collection = try collection([.inAlaska(), other, third])
        #expect(collection["bbox"] as? [Double] == [179.5, -20, -1.2, -147.25, 64.875, 8.43])
        let last = try #require((collection["features"] as? [[String: Any]])?.last?["geometry"] as? [String: Any])
        #expect(last["coordinates"] as? [Double] == [-147.25, 64.875])
    }

    @Test("A GeoJSON bounding box without depths has four numbers") func boundingBoxWithoutDepth() throws {
        var quake = Quake.inAlaska()
        quake.hypocenter.depthKilometers = nil
        #expect(try collection([quake])["bbox"] as? [Double] == [-147.25, 64.875, -147.25, 64.875])
    }

    @Test(
        "In GeoJSON, --fields limits only the properties and keeps the geometry and id",
        arguments: [
            ([QuakeProperty.mag], "{\"mag\":4.5}"), ([.extra], "{\"u\":1}"), ([.depth], "{}"),
            ([.extra, .mag], "{\"mag\":4.5,\"u\":1}"),
        ])
    func fieldsNarrowProperties(fields: [QuakeProperty], properties: String) throws {
        var quake = Quake.inAlaska()
        quake.extra = "{\"u\":1}"
        let text = rendered([quake], as: .geojson, fields: fields)
        #expect(text.contains("\"properties\":\(properties),\"geometry\":{\"type\":\"Point\""))
        #expect(text.contains(",\"id\":\"us70000abc\"}"))
        _ = try parsedJSON(text)
    }

    @Test("A quake whose field extra is an empty object is written as valid GeoJSON") func emptyExtra() throws {
        var quake = Quake.inAlaska()
        quake.extra = "{ }"
        _ = try collection([quake])
    }

    @Test(
        "The GeoJSON bounding box crosses the 180th meridian if that makes the box narrower",
        arguments: [
            ([178.0, -179], "178,0,-179,0"), ([-179.5, 179.5, 170], "170,0,-179.5,0"), ([-10, 20], "-10,0,20,0"),
            ([-170, -160], "-170,0,-160,0"), ([180, -180], "180,0,-180,0"), ([0, 180], "0,0,180,0"),
            ([-90, 90], "-90,0,90,0"), ([5], "5,0,5,0"),
        ])
    func boundingBox(longitudes: [Double], box: String) {
        var bounds = HypocenterBounds()
        for longitude in longitudes { bounds.include(longitude: longitude, latitude: 0, depth: nil) }
        #expect(bounds.numbers?.map { PlainNumber.text($0) }.joined(separator: ",") == box)
    }
}
