import QuakeModel
import QuakePlaces

/// The part of a page's data that does not depend on single quakes: scales and colors, the surroundings of a small map,
/// units, and the places and areas of the query.
struct PageSettings {
    let picture: MapPicture
    let json: JSONWriter

    /// Writes the settings as members of the current object.
    func write() {
        writeScale()
        writeSurroundings()
        writeOptions()
        writeScope()
    }

    private func writeScale() {
        json.member("radius", [MapScale.radius.smallest, MapScale.radius.growth])
        func write(_ limit: (any RecordValue)?, _ colors: MapScale.Colors, _ label: String) {
            json.list(limit, colors.light, colors.dark, label)
        }
        /// Writes the classes of values, followed by the class for unknown values.
        func writeClasses(_ name: String, of coloring: MapColoring) {
            json.array(name) {
                for (label, one) in zip(coloring.labels(dash: "–", atLeast: "≥", unit: "km"), coloring.classes) {
                    write(one.from, one.colors, label)
                }
                if coloring == .depth { write("fixed", MapScale.fixedDepth.colors, "10 (fixed)") }
                write(nil, MapScale.unknown.colors, "unknown")
            }
        }
        json.object("scales") {
            writeClasses("depth", of: .depth)
            if !picture.intensitySites.isEmpty {
                writeClasses("shaking", of: .shaking(at: picture.intensitySites.map(\.point)))
            }
            json.array("age") {
                for age in MapScale.ages { write(age.hours.map { $0 * 3_600_000 }, age.colors, age.label) }
            }
            json.array("type") { for type in MapScale.magnitudeTypes { write(type.start, type.colors, type.label) } }
        }
    }

    /// Writes the finer outlines and the cities of a small region; nothing for a larger one.
    private func writeSurroundings() {
        guard let near = NearOutlines(picture.bounds) else { return }
        json.object("near") {
            json.members([
                "box": [near.box.west, near.box.south, near.box.east, near.box.north],
                "steps": NearOutlines.stepsPerDegree, "land": near.land, "borders": near.borders,
            ])
            json.array("cities") {
                for city in City.largest(150, where: near.box.contains) {
                    json.list(city.name, city.point.latitude, city.point.longitude)
                }
            }
        }
    }

    private func writeOptions() {
        json.members(["unit": picture.unit, "zone": picture.timeZone, "reload": picture.reloadInterval])
        for (name, places) in [("shaken", picture.intensitySites), ("centers", picture.centers)] where !places.isEmpty {
            json.array(name) {
                for place in places { json.list(place.point.latitude, place.point.longitude, place.name) }
            }
        }
        if picture.coloring != .depth { json.member("color", "shaking") }
        json.member("home", picture.home.map { [$0.latitude, $0.longitude] })
    }

    /// Writes the parts of the Earth to which the query was limited.
    private func writeScope() {
        json.array("scope") {
            for area in picture.scope {
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
