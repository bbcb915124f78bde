import ArgumentParser
import QuakeStore

struct ChangeKindOptions: ParsableArguments {
    @Option(
        "--op <op,…>",
        """
        Only these changes: insert, update, delete, undo (all changes of an undo), enter or leave (a revision moved \
        the quake into or out of the filter), or a word from the WHAT column of the output, such as revised, \
        retracted or new. new includes late, a new quake that an earlier copy of the feed should already have had, and \
        split, a quake separated from another.
        """, completion: .list(of: OperationWords.offered), transform: OperationWords.parse)
    var operations: OperationWords.Operations?

    @Option(
        "--changed <field,…>",
        """
        Only updates that changed one of these fields, or a field of one of these groups: source (magnitude, time, \
        location and so on), impact (felt reports, alert and so on) and bookkeeping (stations, uncertainties and so \
        on). mag+0.3 and mag-0.3 select magnitudes that rose or fell by at least that much. Add --op to include \
        inserts and deletions.
        """, completion: .changedFields, transform: ChangedFieldSet.parse)
    var changed: ChangedFieldSet?

    func restrict(_ descriptor: inout HistoryDescriptor) {
        descriptor.operations = operations.map { Set($0.keys) } ?? (changed == nil ? [] : Self.updates)
        descriptor.operationReasons = operations ?? [:]
        descriptor.changedProperties = changed?.properties ?? []
        descriptor.magnitudeSteps = changed?.magnitudeSteps ?? []
    }

    /// The operations of a change to a quake that exists before and after it: `enter` and `leave` mean that the change
    /// moved the quake into or out of the filter.
    private static let updates: Set<RelevantChange.Operation> = [.update, .enter, .leave]
}
