import QuakeModel
import Testing

@testable import QuakeCommands

struct DisplayTimeZoneTests {
    @Test("The column of local times is titled with the zone's city, such as LOS ANGELES") func title() {
        #expect(DisplayTimeZone(name: "America/Los_Angeles").title == "LOS ANGELES")
        #expect(DisplayTimeZone(name: "local").title == "LOCAL" && DisplayTimeZone.utc.title == "UTC")
    }

    @Test("A time too far in the future for the calendar is not shifted to local time") func distantTime() {
        let distant = Timestamp(milliseconds: .max)
        #expect(DisplayTimeZone(name: "local").shifted(distant) == distant)
    }
}
