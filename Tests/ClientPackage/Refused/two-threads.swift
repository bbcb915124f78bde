// An editor and its context belong to one thread at a time, which the compiler enforces.
import QuakeEditing
import QuakeStore

func share(_ context: QuakeContext) async throws {
    let editor = QuakeEditor(context)
    let task = Task.detached { try editor.save() }  // error: sending
    try editor.save()
    _ = try await task.value
}
