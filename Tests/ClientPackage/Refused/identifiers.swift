// Keys, transaction numbers and change ids have separate types, so none can be mistaken for another.
import QuakeStore

func mix(_ context: QuakeContext, _ transaction: HistoryTransaction, _ change: HistoryChange) throws {
    _ = try context.quake(key: transaction.number)  // error: cannot convert value of type 'TransactionNumber'
    _ = try context.quake(key: transaction.processID)  // error: cannot convert value of type 'Int64'
    try context.undo(transaction: change.quakeKey)  // error: cannot convert value of type 'QuakeKey'
    try context.history.trim(through: change.id)  // error: cannot convert value of type 'ChangeID'
}
