package import QuakeModel

/// Writes quakes as QuakeML 1.2 (Basic Event Description): for each quake, the origins, magnitudes and focal mechanisms
/// that were fetched, and the ids of the preferred ones.
///
/// Resource names are the same as in the QuakeML from USGS, so that documents of both can be combined.
package final class QuakeMLRenderer: QuakeRenderer {
    /// The fields from which ``writeRow(_:)`` recreates a quake.
    package let fields = QuakeProperty.compared.map(QuakeField.property)

    private let output: ByteBuffer
    private let solutions: (String) -> SolutionHistory?

    /// Creates a renderer. For rows, the solutions come from ``RecordStyle/solutions`` of `style`.
    package init(into output: ByteBuffer, _ style: RecordStyle = RecordStyle()) {
        self.output = output
        solutions = style.solutions
    }

    package func begin() {
        output.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <q:quakeml xmlns="http://quakeml.org/xmlns/bed/1.2" xmlns:q="http://quakeml.org/xmlns/quakeml/1.2">
            <eventParameters publicID="quakeml:quakes.local/eventParameters">

            """)
    }

    package func writeRow(_ field: (Int) -> FieldValue) {
        var quake = Quake.blank
        for (index, property) in QuakeProperty.compared.enumerated() {
            quake.set(property, to: QuakeValue(copying: field(index)))
        }
        write(quake, solutions(quake.id))
    }

    package func write(_ quake: Quake, _ history: SolutionHistory?, exists: Bool = true) {
        output.append(QuakeMLEvent(quake, history, exists: exists).element?.text ?? "")
    }

    package func end() {
        output.append("</eventParameters>\n</q:quakeml>\n")
    }
}
