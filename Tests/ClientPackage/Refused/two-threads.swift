// A context belongs to one thread at a time, which the compiler enforces.
import QuakeStore

func share(_ context: QuakeContext) async throws {
    let task = Task.detached { try context.edits.save() }  // error: sending
    try context.edits.save()
    _ = try await task.value
}
