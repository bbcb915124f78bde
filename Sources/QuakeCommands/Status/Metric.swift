import QuakeModel

/// A metric in the Prometheus text format (exposition format 0.0.4): a counter if its name ends in `_total`, otherwise
/// a gauge.
struct Metric {
    /// A number in a form that Prometheus can read.
    protocol Value: Sendable { var metricText: String { get } }

    private let name: String
    private let help: String
    private let samples: [(labels: [(name: String, value: String)], value: any Value)]

    /// Creates a metric with one sample, or with none if `value` is nil.
    init(_ name: String, _ help: String, _ value: (any Value)?, _ labels: (String, String)...) {
        self.name = name
        self.help = help
        samples = value.map { [(labels, $0)] } ?? []
    }

    /// Creates a metric with a sample for each value of the label that has a number.
    init(_ name: String, _ help: String, by label: String, _ values: [(String, (any Value)?)]) {
        self.name = name
        self.help = help
        samples = values.compactMap { thing, value in value.map { ([(label, thing)], $0) } }
    }

    /// Writes the metric. Without samples, only the header is written.
    func write(to writer: ByteWriter) {
        writer.append("# HELP \(name) \(help)\n# TYPE \(name) \(name.hasSuffix("_total") ? "counter" : "gauge")\n")
        for sample in samples {
            let labels = sample.labels.map { #"\#($0.name)="\#(Self.escaped($0.value))""# }.joined(separator: ",")
            writer.append("\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value.metricText)\n")
        }
    }

    /// Escapes backslashes, quotes and line breaks in a label value.
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
