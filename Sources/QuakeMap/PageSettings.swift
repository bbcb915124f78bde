import QuakeModel
import QuakePlaces

/// The part of a page's data that does not belong to single quakes: scales and colors, finer outlines, units, and the
/// places and areas of the query.
struct PageSettings {
    let content: MapContent
    let json: JSONWriter

    /// Writes the settings as members of the current object.
    func write() {
        writeScale()
        writeSurroundings()
        writeOptions()
        writeScope()
    }

    private func writeScale() {
        json.member("radius", [SymbolScale.radius.smallest, SymbolScale.radius.growth])
        json.array("bands") { for band in SymbolScale.bands { json.list(band.from, band.fill, band.rim) } }
        json.object("scales") {
            for coloring in content.availableColorings {
                json.object(coloring.rawValue) { write(coloring.scale, titled: content.legendTitle(of: coloring)) }
            }
        }
        json.member("color", content.coloring.rawValue)
    }

    /// Writes a scale: its title, the page's name for its values, and for each class its values, its colors on light
    /// and dark backgrounds, its label, and the color of its outline on a light background.
    private func write(_ scale: ColorScale, titled title: String) {
        json.members(["title": scale.isLength ? scale.title : title, "isLength": scale.isLength])
        switch scale.source {
        case .property(let property): json.member("of", property.rawValue)
        case .age: json.member("of", "age")
        case .intensity: json.member("of", "intensity")
        }
        json.array("classes") {
            for one in scale.classes {
                json.array {
                    switch one.values {
                    case .from(let least): json.value(max(least, -1e9))
                    case .exactly(let number): json.array { json.value(number) }
                    case .starting(let start): json.value(start)
                    case .others: json.value(nil)
                    }
                    for text in [one.light, one.dark, one.label, one.rim] { json.value(text) }
                }
            }
        }
    }

    /// Writes the finer outlines, and the cities of a small region.
    private func writeSurroundings() {
        let near = NearOutlines(content)
        guard !near.boxes.isEmpty else { return }
        json.object("near") {
            json.array("boxes") {
                for box in near.boxes {
                    let bounds = box.bounds
                    json.list(bounds.west, bounds.south, bounds.east, bounds.north, box.packed)
                }
            }
            guard let region = near.smallRegion else { return }
            json.array("cities") {
                for city in City.largest(150, where: region.contains) {
                    json.list(city.name, city.point.latitude, city.point.longitude)
                }
            }
        }
    }

    private func writeOptions() {
        json.members(["unit": content.unit, "zone": content.timeZone, "reload": content.reloadInterval])
        for (name, places) in [("sites", content.intensitySites), ("centers", content.centers)] where !places.isEmpty {
            json.array(name) {
                for place in places { json.list(place.point.latitude, place.point.longitude, place.name) }
            }
        }
        json.member("home", content.home.map { [$0.latitude, $0.longitude] })
    }

    /// Writes the parts of the Earth to which the query was limited.
    private func writeScope() {
        json.array("scope") {
            for area in content.scope {
                switch area {
                case .box(let box):
                    let bounds = MapBounds(box)
                    json.value(["box": [bounds.west, bounds.south, bounds.east, bounds.north]] as Record)
                case .circle(let center, let radius):
                    json.value(["circle": [center.latitude, center.longitude, radius]] as Record)
                }
            }
        }
    }
}
