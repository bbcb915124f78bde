import ArgumentParser
import QuakeStore

struct UndoCommand: QuakesSubcommand {
    static let configuration = described(
        "undo", "Undo the last purge of quakes, or any transaction.",
        """
        Restores the values that the quakes had before the transaction, and records the undo as a new transaction. \
        Quakes that have changed since are left as they are. So is any quake that was merged with or split from one of \
        those, or exchanged an id with it. The transaction must still be in the history. Repeat the command to undo \
        earlier purges. To redo, undo the new transaction by its number.

        After undoing a refresh, the next one can make its changes again, unless it reads an older copy of the feed.

        EXAMPLES:
          quakes undo --dry-run
          quakes undo
          quakes undo 42
        """)

    @Argument(
        help: ArgumentHelp(
            "Number of the transaction (default: the last purge of quakes).", valueName: "transaction"),
        transform: TransactionNumber.parse)
    var number: TransactionNumber?

    @Flag("--dry-run -n", "Report what would change; write nothing.") var dryRun = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, dryRun ? .reading : .writing, author: "quakes.undo")
        guard let number = try number ?? context.history.lastPurgeInEffect()?.number else {
            throw try nothingToUndo(context)
        }
        let undo = try undo(number, in: context)
        let token = try context.history.currentToken()
        let verb = dryRun ? "would undo" : "undid"
        let entry = undo.transaction.map { "; the undo is transaction \($0.number)" } ?? ""
        return try report(
            "\(verb) transaction \(number) (\(undo.result.words))\(entry)",
            [
                "dry_run": dryRun, "undone": number, "quakes": undo.result.restored,
                "left": undo.result.leftAsTheyAre,
                "transaction": undo.transaction?.number, "token": token.description,
            ], reporting.format, in: environment)
    }

    private func undo(_ number: TransactionNumber, in context: QuakeContext) throws -> WriteOutcome<UndoneQuakes> {
        do {
            return try context.undo(transaction: number, dryRun: dryRun)
        } catch StoreError.noTransaction {
            throw try context.missingTransaction(number)
        } catch let error as StoreError {
            guard case .cannotUndo = error, let undo = try context.history.undoInEffect(of: number) else { throw error }
            throw CommandError(
                "Transaction \(number) has already been undone by transaction \(undo).",
                "`quakes undo \(undo)` redoes it.", .noRows)
        }
    }

    /// Returns the error for `undo` without a number if there is no purge, or if the last purge of quakes was already
    /// undone.
    private func nothingToUndo(_ context: QuakeContext) throws -> CommandError {
        guard let purge = try context.history.lastPurge()?.number,
            let undo = try context.history.undoInEffect(of: purge)
        else {
            return CommandError(
                "The history contains no purge to undo.",
                "To undo another transaction, give its number, which `quakes history` shows.", .noRows)
        }
        return CommandError(
            "The last purge of quakes, transaction \(purge), has already been undone by transaction \(undo).",
            "`quakes undo \(undo)` purges the quakes again.", .noRows)
    }
}

extension UndoneQuakes {
    /// The numbers of quakes reverted and left: `1,037 quakes reverted; 10 left as they are because of later changes`.
    /// If none were left, only `1,037 quakes`.
    fileprivate var words: String {
        let restored = restored.counted("quake")
        if leftAsTheyAre == 0 { return restored }
        let state = leftAsTheyAre == 1 ? "left as it is" : "left as they are"
        return "\(restored) reverted; \(leftAsTheyAre.grouped) \(state) because of later changes"
    }
}
