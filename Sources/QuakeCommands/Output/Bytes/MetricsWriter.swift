package import QuakeModel

/// Writes metrics in the text format of Prometheus (exposition format 0.0.4).
package struct MetricsWriter {
    /// A value, and the labels that say of what it is.
    package struct Sample {
        var labels: [(name: String, value: String)] = []
        package var value: String

        package init<Number: BinaryInteger>(_ value: Number, _ labels: (name: String, value: String)...) {
            self.labels = labels
            self.value = String(value)
        }

        /// Seconds since 1970.
        package init(_ moment: Timestamp, _ labels: (name: String, value: String)...) {
            self.labels = labels
            value = Sample.seconds(moment.milliseconds)
        }

        package init(_ duration: Duration, _ labels: (name: String, value: String)...) {
            self.labels = labels
            value = Sample.seconds(duration.wholeMilliseconds)
        }

        private static func seconds(_ milliseconds: Int64) -> String {
            let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
            return (milliseconds < 0 ? "-" : "") + "\(whole).\(String(rest + 1000).dropFirst())"
        }
    }

    private let writer: ByteWriter

    package init(_ writer: ByteWriter) { self.writer = writer }

    /// Writes a metric that goes up and down. One without samples is named too, so that a reader knows it.
    package func gauge(_ name: String, _ help: String, _ samples: [Sample]) { write(name, "gauge", help, samples) }

    /// Writes a metric that only grows.
    package func counter(_ name: String, _ help: String, _ samples: [Sample]) { write(name, "counter", help, samples) }

    private func write(_ name: String, _ type: StaticString, _ help: String, _ samples: [Sample]) {
        writer.append("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
        for sample in samples {
            writer.append(name)
            if !sample.labels.isEmpty {
                let labels = sample.labels.map { #"\#($0.name)="\#(Self.escaped($0.value))""# }
                writer.append("{\(labels.joined(separator: ","))}")
            }
            writer.append(" \(sample.value)\n")
        }
    }

    /// The value of a label: a backslash, a quote and a line break are escaped.
    package static func escaped(_ value: String) -> String {
        value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }
}
