import QuakeModel
import Testing

@testable import QuakeCommands

struct LocalTimeTests {
    @Test("The column of local times is titled with the zone's city, such as LOS ANGELES") func title() {
        #expect(LocalTime(name: "America/Los_Angeles").title == "LOS ANGELES")
        #expect(LocalTime(name: "local").title == "LOCAL" && LocalTime.utc.title == "UTC")
    }

    @Test("A time too far in the future for the calendar is not shifted to local time") func distantTime() {
        let distant = Timestamp(milliseconds: .max)
        #expect(LocalTime(name: "local").shifted(distant) == distant)
    }
}
