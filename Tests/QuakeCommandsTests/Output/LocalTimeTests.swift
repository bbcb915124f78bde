import QuakeModel
import Testing

@testable import QuakeCommands

struct LocalTimeTests {
    @Test func aTitleNamesTheCity() {
        #expect(LocalTime(name: "America/Los_Angeles").title == "LOS ANGELES")
        #expect(LocalTime(name: "local").title == "LOCAL" && LocalTime.utc.title == "UTC")
    }

    @Test func aMomentOutsideOfTheCalendarIsNotShifted() {
        let distant = Timestamp(milliseconds: .max)
        #expect(LocalTime(name: "local").shifted(distant) == distant)
    }
}
