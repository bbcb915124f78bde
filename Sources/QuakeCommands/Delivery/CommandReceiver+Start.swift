import QuakeSystem

extension CommandReceiver {
    /// Starts `command`. Signals that end this program are forwarded to the command.
    static func start(_ command: String, variables: [String: String]?) throws(CommandError) -> CommandReceiver {
        do {
            return try CommandReceiver(command, variables: variables)
        } catch { throw CommandError("Cannot start the command: \(error.reason).", nil, .failure) }
    }

    /// Waits until the command has ended. Throws ``OutputError/interrupted`` if a signal interrupted the wait.
    func ending(meanwhile: (Duration) -> Void) throws(OutputError) -> ChildProcess.Ending {
        if let ending = wait(meanwhile: meanwhile) { return ending }
        endWithSignal()
        throw .interrupted
    }
}
