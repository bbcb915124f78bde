import QuakeModel
import Testing

@testable import QuakeCommands

struct LocalTimeTests {
    @Test("A local time column is titled with the city of its zone") func title() {
        #expect(LocalTime(name: "America/Los_Angeles").title == "LOS ANGELES")
        #expect(LocalTime(name: "local").title == "LOCAL" && LocalTime.utc.title == "UTC")
    }

    @Test("A time outside the calendar is not shifted") func distantTime() {
        let distant = Timestamp(milliseconds: .max)
        #expect(LocalTime(name: "local").shifted(distant) == distant)
    }
}
