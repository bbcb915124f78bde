import QuakeModel

/// Writes quakes as QuakeML 1.2 (Basic Event Description): for each quake, the origins, magnitudes and focal mechanisms
/// that were fetched, and the ids of the preferred ones.
///
/// Resource names match those in the QuakeML that USGS publishes, so that both can be combined.
final class QuakeMLRenderer: QuakeRenderer {
    /// The fields that make up a quake.
    let fields = QuakeProperty.compared.map(QuakeField.property)

    let writer: ByteWriter
    private let solutions: (String) -> SolutionHistory?

    /// Creates a renderer that writes to `writer` and reads the solutions for rows through `style`.
    init(writer: ByteWriter, style: OutputStyle = OutputStyle()) {
        self.writer = writer
        solutions = style.solutions ?? { _ in nil }
    }

    func begin() {
        writer.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <q:quakeml xmlns="http://quakeml.org/xmlns/bed/1.2" xmlns:q="http://quakeml.org/xmlns/quakeml/1.2">
            <eventParameters publicID="quakeml:quakes.local/eventParameters">

            """)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        var quake = Quake.blank
        for (index, property) in QuakeProperty.compared.enumerated() {
            quake.set(property, to: QuakeValue(copying: field(index)))
        }
        write(quake, solutions(quake.id))
        try writer.flushIfFull()
    }

    func write(_ quake: Quake, _ history: SolutionHistory?, exists: Bool = true) {
        writer.append(QuakeMLEvent(quake, history, exists: exists).element?.text ?? "")
    }

    func end() throws(OutputError) {
        writer.append("</eventParameters>\n</q:quakeml>\n")
        try writer.flush()
    }
}
