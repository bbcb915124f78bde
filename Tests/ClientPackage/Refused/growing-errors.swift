// Errors may be added: a switch outside the package needs a default.
import QuakeStore

func isStoreError(_ error: StoreError) -> Bool {
    switch error {  // error: 'StoreError' may have additional unknown values
    case .noCache, .notACache, .otherSchema, .cannotOpen, .busy, .backfilling, .diskFull, .foreignLog, .replaced,
        .noLog, .fileExists, .backupInUse, .otherCache, .unsound, .readOnly, .inputOutput, .corrupt, .statement,
        .token, .generationExpired, .beforeHistory, .beforeFirstSnapshot, .unreadConsumer, .cannotUndo,
        .noTransaction, .unstorable, .unstorableText, .otherQuake, .idTaken, .gone, .merged, .missing, .contextState:
        true
    }
}
