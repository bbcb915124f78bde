import Foundation
import QuakeEditing

/// `delete-blasts CACHE DAYS`: deletes the quarry blasts of the last days, in a transaction that says so.
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let path = arguments.first, let days = arguments.last.flatMap(Double.init) else {
    print("usage: delete-blasts CACHE DAYS")
    exit(64)
}
let context = try QuakeContext(QuakeCache(path: path))
context.name = "quarry blasts of the last \(days) days"
let editor = QuakeEditor(context)
let blasts = QuakeDescriptor(
    predicate: #Predicate { $0.eventType! == "quarry blast" },
    filter: QuakeFilter(since: Date.now.addingTimeInterval(-86_400 * days)))
for stored in try editor.fetch(blasts) { try editor.delete(stored) }
let entry = try editor.save()
print("\(entry?.counts.deleted ?? 0) quarry blasts deleted")
