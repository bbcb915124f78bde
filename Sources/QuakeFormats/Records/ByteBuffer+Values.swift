import QuakeModel

extension ByteBuffer {
    @inline(__always) func append(integer: Int64) {
        append(upTo: NumberText.capacity) { NumberText.write(integer, to: $0) }
    }

    /// Appends a finite number in the shortest form that parses as the same value: `5`, `4.35`, `1e-09`.
    @inline(__always) func append(real: Double) { append(upTo: NumberText.capacity) { NumberText.write(real, to: $0) } }

    /// Appends a moment in ISO 8601 format, in UTC with milliseconds.
    @inline(__always) func append(moment: Timestamp) {
        append(upTo: NumberText.capacity) {
            moment.writeISO8601(into: UnsafeMutableBufferPointer(start: $0, count: NumberText.capacity))
        }
    }
}
