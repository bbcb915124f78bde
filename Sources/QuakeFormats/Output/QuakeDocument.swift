import QuakeModel

/// Formats quakes as a document in a buffer.
final class QuakeDocument {
    let output = ByteBuffer()
    private let content: Content

    private enum Content {
        case rows(any QuakeRenderer, QuakeRow)
        /// QuakeML is written from the quake and its solutions, not from a row of fields.
        case events(QuakeMLRenderer)
    }

    /// Begins a document with `properties`; empty for all.
    init(_ format: QuakeFormat, _ properties: [QuakeProperty], title: String?, generated: Timestamp?) {
        if format == .quakeml {
            content = .events(QuakeMLRenderer(into: output))
        } else {
            var style = RecordStyle()
            style.title = title
            style.generated = generated
            let fields = (properties.isEmpty ? QuakeProperty.allCases : properties).map(QuakeField.property)
            let renderer = format.renderer(of: fields, into: output, style)
            content = .rows(renderer, QuakeRow(renderer.fields.compactMap(\.property)))
        }
        renderer.begin()
    }

    private var renderer: any QuakeRenderer {
        switch content {
        case .rows(let renderer, _): renderer
        case .events(let renderer): renderer
        }
    }

    func append(_ quake: Quake, _ solutions: SolutionHistory?) {
        let quake = quake.writable
        switch content {
        case .rows(let renderer, let row):
            row.load(quake)
            renderer.writeRow { row[$0] }
        case .events(let renderer): renderer.write(quake, solutions)
        }
    }

    func end() { renderer.end() }
}

extension Quake {
    /// The quake without the values that no format can express, which a cache rejects, too: numbers that are not
    /// finite, and an ``/QuakeModel/Quake/extra`` that is not a JSON object.
    fileprivate var writable: Quake {
        var quake = self
        for property in QuakeProperty.allCases where property.kind == .real {
            if let number = self[property].realValue, !number.isFinite { quake.set(property, to: .null) }
        }
        if let extra, !JSONText.isObject(extra) { quake.extra = nil }
        return quake
    }
}
