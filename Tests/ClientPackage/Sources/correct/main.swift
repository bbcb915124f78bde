import Foundation
import QuakeEditing

/// `correct CACHE ID MAGNITUDE`: shows a quake, and corrects its magnitude if the user agrees and nobody else has
/// changed it meanwhile.
func finish(_ message: String, _ status: Int32) -> Never {
    print(message)
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, let magnitude = Double(arguments[2]) else {
    finish("usage: correct CACHE ID MAGNITUDE", 64)
}
do {
    let context = try QuakeContext(QuakeCache(path: arguments[0]), author: "org.example.correct")
    let editor = QuakeEditor(context)
    editor.conflictPolicy = .fail
    guard let stored = try editor.quake(id: arguments[1]) else { finish("There is no quake \(arguments[1]).", 1) }
    try editor.update(stored) { $0.magnitude = magnitude }
    print("\(stored.quake.title): correct the magnitude to \(magnitude)? (y/n)")
    fflush(nil)
    guard readLine() == "y" else { finish("Nothing was changed.", 1) }
    let entry = try editor.save(TransactionOrigin(purpose: "correction of a magnitude"))
    finish(entry.map { "Saved as transaction \($0.number)." } ?? "The magnitude is already \(magnitude).", 0)
} catch StoreError.conflict(let quakes) {
    for (id, properties) in quakes {
        let names = properties.map(\.rawValue).joined(separator: ", ")
        print("Somebody else has changed \(id) meanwhile: \(names). Run the command again.")
    }
    exit(75)
} catch {
    finish(error.localizedDescription, 1)
}
