/// Applies the event service's response about deleted quakes.
struct DeletionApplication {
    let sourceTime: Timestamp
    let deleted: [DeletedFeature]
    let writer: QuakeWriter

    /// Deletes the quakes whose deletion is certain, and marks the ids of the others as in question
    /// (``/QuakeStore/IDInQuestion``).
    func run(_ report: RefreshReport) throws -> (report: RefreshReport, open: UnresolvedQuakes) {
        var report = report
        var open = UnresolvedQuakes()
        report.generated = sourceTime
        let view = WriterView(writer: writer, sourceTime: sourceTime)
        for feature in deleted {
            for id in feature.ids.sorted() {
                guard let known = try view.quake(withOwnID: id) else { continue }
                switch try feature.meaning(for: known, confirmedUntil: view.confirmedUntil(known)) {
                case .deleted: try delete(known, &report)
                case .inQuestion(let reason):
                    try writer.putInQuestion([
                        IDInQuestion(about: known.stored.quake, reason, raised: sourceTime)
                    ])
                    open.ids.append(id)
                }
            }
        }
        return (report, open)
    }

    private func delete(_ known: KnownQuake, _ report: inout RefreshReport) throws {
        let deletion = Operation.delete(known.stored, reason: .retracted, mergedInto: nil)
        let rowSource = RowSource(sourceTime: sourceTime.milliseconds)
        try writer.perform(deletion, rowSource, isFromService: true)
        try writer.dropIDsInQuestion([known.stored.quake.id])
        report.count([deletion])
    }
}
