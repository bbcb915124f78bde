import Testing

@testable import QuakeCommands

@Suite("Delivery options") struct DeliveryOptionsTests {
    @Test(
        "--exec rejects a command that uses a $QUAKE_ variable, and points to --exec-each",
        arguments: ["watch", "changes"])
    func variablesOfExecEach(command: String) {
        let words = [command, "--exec", "echo ${QUAKE_ID}"]
        let error = #expect(throws: (any Error).self) { try QuakesCommand.command(for: words) }
        #expect(error.map { UsageMessage.text(for: $0, in: words) }?.contains("Only --exec-each sets") == true)
    }
}
