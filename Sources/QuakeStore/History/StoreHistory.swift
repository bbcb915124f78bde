/// The history of a cache as one context sees it: every change of every quake, in transactions.
///
/// In a pinned context the history ends at its generation. Consumers have no history: they are those of the present.
///
/// ## Topics
///
/// ### Events since a token
/// - ``fetch(_:resyncs:_:)``
/// - ``remoteChanges(after:every:)``
/// - ``remoteChanges(_:every:)``
/// - ``merge(after:into:fetchedBy:)``
///
/// ### Places
/// - ``head()``
/// - ``floor()``
/// - ``token(afterTransaction:)``
/// - ``fault(of:)``
/// - ``lastTransaction()``
/// - ``lastTransaction(at:)``
/// - ``dataVersion()``
/// - ``storeID()``
///
/// ### Transactions and changes
/// - ``StoreEdits/transaction(_:)``
/// - ``transactions(after:through:limit:)``
/// - ``newestTransactions(_:)``
/// - ``transactionCount(after:)``
/// - ``changeCount(after:)``
/// - ``changes(ofKey:)``
/// - ``forEachChange(ofTransaction:_:)``
/// - ``revisions(of:)``
///
/// ### Undoing a transaction
/// - ``undo(transaction:dryRun:)``
/// - ``undoInEffect(of:)``
/// - ``lastPurge()``
/// - ``lastPurgeInEffect()``
///
/// ### Readers, and what they have read
/// - ``consumers()``
/// - ``consumer(named:)``
/// - ``acknowledge(_:for:)``
/// - ``forgetConsumer(named:)``
///
/// ### Deleting history
/// - ``delete(before:force:dryRun:)``
/// - ``delete(through:force:dryRun:)``
/// - ``delete(readByAll:dryRun:)``
public struct StoreHistory {
    let context: QuakeContext
}

extension QuakeContext {
    /// The history: transactions, changes, tokens, and who reads them.
    public var history: StoreHistory { StoreHistory(context: self) }
}
