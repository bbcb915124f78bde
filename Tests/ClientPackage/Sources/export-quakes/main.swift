import Foundation
import QuakeFormats
import QuakeStore

/// `export-quakes CACHE FOLDER MAGNITUDE`: writes the quakes of at least MAGNITUDE to `quakes.xml` and `quakes.csv`,
/// and every change to `changes.ndjson`.
let folder = URL(filePath: CommandLine.arguments[2])
let context = try QuakeContext(QuakeCache(path: CommandLine.arguments[1]), access: .reading)
let descriptor = QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: Double(CommandLine.arguments[3])))

// A long document is written piece by piece, and has its name only once it is complete.
let draft = folder.appending(path: "quakes.xml.part")
try Data().write(to: draft)
let file = try FileHandle(forWritingTo: draft)
let output = QuakeOutput(.quakeml) { try file.write(contentsOf: $0) }
try context.enumerate(descriptor) { stored in
    try output.append(stored.quake, solutions: context.solutions(ofKey: stored.key))
}
try output.end()
rename(draft.path, folder.appending(path: "quakes.xml").path)

let csv = try QuakeFormat.csv.data(context.fetch(descriptor).map(\.quake))
try csv.write(to: folder.appending(path: "quakes.csv"), options: .atomic)

var events: [HistoryEvent] = []
try context.history.fetch { events.append($0) }
try ChangeFormat.ndjson.data(events).write(to: folder.appending(path: "changes.ndjson"), options: .atomic)
