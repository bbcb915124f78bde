import QuakeModel

/// A fact in `quakes status` in all forms: lines for people, members of a JSON object, and metrics.
struct StatusFact {
    /// A line of text and the suggested command, if any.
    typealias Line = (words: String, command: String?)
    /// The maximum number of lines shown without `--verbose`.
    private static let maximumLines = 10

    fileprivate let label: String
    private let brief: String?
    private let lines: [Line]
    fileprivate let members: Record
    fileprivate let metrics: [Metric]

    /// - Parameter brief: The text shown instead of `lines` unless `--verbose` is given; nil to show the lines.
    init(_ label: String, brief: String? = nil, _ lines: [Line], _ members: Record, _ metrics: [Metric] = []) {
        self.label = label
        self.brief = brief
        self.lines = lines
        self.members = members
        self.metrics = metrics
    }

    init(_ label: String, _ words: String?, _ members: Record, _ metrics: [Metric] = []) {
        self.init(label, words.map { [($0, nil)] } ?? [], members, metrics)
    }

    /// The fact as shown for a state in which it is not known: without lines and metrics, and with null members.
    var unknown: StatusFact { StatusFact(label, [], members.withoutValues) }

    fileprivate func shown(isVerbose: Bool) -> [Line] {
        guard !isVerbose, brief != nil || lines.count > Self.maximumLines else { return lines }
        if let brief { return [("\(brief); use -v to list them", nil)] }
        return lines.prefix(Self.maximumLines) + [
            ("and \(lines.count - Self.maximumLines) more; use -v to list all", nil)
        ]
    }
}

extension [StatusFact] {
    func write(_ text: WrappedLines, isVerbose: Bool) {
        for fact in self {
            for line in fact.shown(isVerbose: isVerbose) {
                text.append(label: fact.label.padding(to: 12), line.words)
                // The command is not wrapped, so that it can be copied.
                if let command = line.command {
                    text.append(label: "".padding(to: 12), "run: \(command)", isWhole: true)
                }
            }
        }
    }

    var record: Record { reduce([:]) { $0 + $1.members } }

    func writeMetrics(_ writer: ByteWriter) { for metric in flatMap(\.metrics) { metric.write(to: writer) } }
}
