import QuakeModel
import QuakeOutput

/// What is said after Ctrl-C.
struct InterruptWords {
    /// The feed whose download was interrupted; nil if the last feed was completed.
    let feed: String?
    /// How many feeds were applied.
    let applied: Int
    /// How many were not begun.
    let left: Int

    var text: String {
        var text = feed.map { "Interrupted; nothing from \($0) was saved." } ?? "Interrupted."
        if applied > 0 || feed == nil {
            text += " \(applied.counted("feed")) \(applied == 1 ? "was" : "were") applied."
        }
        if left > 0 { text += " \(left.counted("feed")) \(left == 1 ? "was" : "were") not started." }
        return text
    }
}
