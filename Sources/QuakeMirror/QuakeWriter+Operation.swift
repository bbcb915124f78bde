import QuakeModel
import QuakeStore

extension QuakeWriter {
    /// Does `operation` on the word of `confirmation`.
    ///
    /// - Returns: the local key of an inserted quake.
    @discardableResult
    func perform(_ operation: Operation, _ rowSource: RowSource) throws -> Int64? {
        switch operation {
        case .insert(let quake, let reason, let key, let aliases):
            return try insert(quake, reason: reason, key: key, aliases: aliases, rowSource: rowSource)
        case .update(let stored, let quake, let reason, let aliases):
            try update(stored, to: quake, reason: reason, rowSource: rowSource)
            for alias in aliases { try assign(alias: alias, to: stored.key) }
        case .confirm(let key): try confirm(key, rowSource)
        case .delete(let stored, let reason, let survivor):
            try delete(stored, reason: reason, mergedInto: survivor, generated: rowSource.generated)
        case .note(let doubt): try note(doubt)
        case .drop(let kind, let key): try drop(kind, of: key)
        }
        return nil
    }
}
