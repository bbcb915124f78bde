import Foundation
import QuakeStore

/// `undo-last CACHE AUTHOR`: undoes the author's last transaction that is still in effect, after listing its changes.
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let path = arguments.first, let author = arguments.last else {
    print("usage: undo-last CACHE AUTHOR")
    exit(64)
}
let cache = QuakeCache(path: path)
let plan = try await cache.read { reader -> (number: TransactionNumber, quakes: UndoneQuakes)? in
    let history = reader.history
    let candidates = try history.transactions(after: 0).filter { $0.author == author && $0.undoes == nil }
    guard let last = try candidates.last(where: { try !history.isUndone($0.number) }) else { return nil }
    print("transaction \(last.number) of \(last.time): \(last.purpose ?? "no purpose")")
    for change in try history.changes(ofTransaction: last.number) {
        print("  \(change.operation.rawValue) \(change.after?.title ?? change.before?.title ?? "")")
    }
    // A dry run only reads.
    return (last.number, try reader.undo(transaction: last.number, dryRun: true).result)
}
guard let plan else {
    print("\(author) has nothing to undo")
    exit(1)
}
if plan.quakes.leftAsTheyAre > 0 { print("\(plan.quakes.leftAsTheyAre) quakes have changed since") }
let undo = try await cache.write(author: author) { try $0.undo(transaction: plan.number) }
print("\(undo.result.restored) quakes restored by transaction \(undo.transaction?.number ?? 0)")
