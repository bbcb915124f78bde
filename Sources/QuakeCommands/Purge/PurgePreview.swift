import QuakeModel
import QuakeOutput
import QuakeStore

/// The quakes that a purge would delete, the newest first, as `quakes list` shows them.
struct PurgePreview {
    static let limit = 20

    let filter: QuakeFilter
    let count: Int

    /// The quakes that `filter` accepts; there are `count` of them.
    init(filter: QuakeFilter, of count: Int) { (self.filter, self.count) = (filter, count) }

    /// Writes the list, and that there are more quakes; nothing if there are none.
    func write(from context: QuakeContext, _ style: OutputStyle, _ environment: CommandEnvironment) throws {
        guard count > 0 else { return }
        let rendering = OutputFormat.table.rendering(of: nil)
        let reader = FieldReader(rendering.fields, reference: nil)
        let renderer = rendering.renderer(environment.standardOutput.writerForPeople, style)
        renderer.begin()
        let descriptor = QuakeDescriptor(filter: filter, sortedBy: [QuakeSortKey(.time)], limit: Self.limit)
        try context.forEachRow(descriptor, fields: reader.properties) { try renderer.row($0.field(at:)) }
        if count > Self.limit { renderer.writer.append("… and \((count - Self.limit).grouped) more\n") }
        try renderer.end()
    }
}
