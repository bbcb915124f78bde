import QuakeModel

/// A metric in the Prometheus text format (exposition format 0.0.4). It is a counter if its name ends in `_total`,
/// otherwise a gauge.
struct Metric {
    /// A value that can be written as a number for Prometheus.
    protocol Value: Sendable { var metricText: String { get } }

    private let name: String
    private let help: String
    private let samples: [(labels: [(name: String, value: String)], value: any Value)]

    /// Creates a metric with one sample, or without samples if `value` is nil.
    init(_ name: String, _ help: String, _ value: (any Value)?, _ labels: (String, String)...) {
        self.name = name
        self.help = help
        samples = value.map { [(labels, $0)] } ?? []
    }

    /// Creates a metric with a sample for each pair of a label value and a number that is not nil.
    init(_ name: String, _ help: String, by label: String, _ values: [(String, (any Value)?)]) {
        self.name = name
        self.help = help
        samples = values.compactMap { thing, value in value.map { ([(label, thing)], $0) } }
    }

    /// Writes the metric; without samples, only the header.
    func write(to writer: ByteWriter) {
        writer.append("# HELP \(name) \(help)\n# TYPE \(name) \(name.hasSuffix("_total") ? "counter" : "gauge")\n")
        for sample in samples {
            let labels = sample.labels.map { #"\#($0.name)="\#(Self.escaped($0.value))""# }.joined(separator: ",")
            writer.append("\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value.metricText)\n")
        }
    }

    /// Returns a label value with backslashes, quotes and line breaks escaped.
    static func escaped(_ value: String) -> String {
        value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }
}

extension Int: Metric.Value { var metricText: String { "\(self)" } }

extension Int64: Metric.Value { var metricText: String { "\(self)" } }

extension Bool: Metric.Value { var metricText: String { self ? "1" : "0" } }

/// A timestamp is written as seconds since 1970.
extension Timestamp: Metric.Value { var metricText: String { (self - Timestamp(milliseconds: 0)).metricText } }

/// A duration is written in seconds.
extension Duration: Metric.Value {
    var metricText: String {
        let (whole, rest) = wholeMilliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        return (self < .zero ? "-" : "") + "\(whole).\(String(rest + 1000).dropFirst())"
    }
}
