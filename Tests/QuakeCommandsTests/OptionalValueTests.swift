import ArgumentParser
import Testing

@testable import QuakeCommands
@testable import QuakeOutput

@Suite("An option that may stand without a value")
struct OptionalValueTests {
    @Test("A token behind an equals sign is the token, whatever follows")
    func equalsSign() throws {
        let words = CommandLineWords.separatingOptionalValues([
            "changes", "--since-token=q1.a.1.00000000", "--op", "insert",
        ])
        let command = try #require(try QuakesCommand.parseAsRoot(words) as? ChangesCommand)
        #expect(command.start.sinceToken == "q1.a.1.00000000")
    }

    @Test("Nothing behind it means the last token, an empty word means no token")
    func bareAndEmpty() throws {
        let bare = try #require(
            try QuakesCommand.parseAsRoot(CommandLineWords.separatingOptionalValues(["changes", "--since-token"]))
                as? ChangesCommand)
        #expect(bare.start.sinceToken == StartOptions.lastToken)
        let followed = CommandLineWords.separatingOptionalValues(["changes", "--since-token", "--format", "json"])
        let command = try #require(try QuakesCommand.parseAsRoot(followed) as? ChangesCommand)
        #expect(command.start.sinceToken == StartOptions.lastToken && command.chosenFormat == .json)
        let empty = try #require(try QuakesCommand.parseAsRoot(["changes", "--since-token", ""]) as? ChangesCommand)
        #expect(empty.start.sinceToken?.isEmpty == true)
    }
}
