/// The care of a cache's file: what is in it, whether it is sound, copies of it, and its space.
///
/// ## Topics
///
/// ### State
/// - ``statistics()``
/// - ``verify(full:findingsPerCheck:)``
///
/// ### Copies
/// - ``backup(to:replacing:)``
///
/// ### Space
/// - ``purge(_:words:dryRun:)``
/// - ``compact()``
public struct StoreMaintenance {
    let context: QuakeContext
}

extension QuakeContext {
    /// Statistics, verification, backups, purges.
    public var maintenance: StoreMaintenance { StoreMaintenance(context: self) }
}
