/// The care of a cache's file: what is in it, whether it is sound, copies of it, and its space.
public struct StoreMaintenance {
    let context: QuakeContext
}

extension QuakeContext {
    /// Statistics, verification, backups, purges.
    public var maintenance: StoreMaintenance { StoreMaintenance(context: self) }
}
