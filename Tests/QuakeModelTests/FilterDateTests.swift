import Foundation
import QuakeModel
import Testing

struct FilterDateTests {
    @Test("A filter from dates of Foundation accepts the same quakes as one from timestamps") func dates() {
        let (start, end) = (Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 1_700_086_400.5))
        let (since, until) = (
            Timestamp(milliseconds: 1_700_000_000_000), Timestamp(milliseconds: 1_700_086_400_500)
        )
        #expect(QuakeFilter(since: start) == QuakeFilter(since: since))
        // Both types have a moment of this name.
        #expect(QuakeFilter(since: .now).since != nil)
        #expect(
            QuakeFilter(minimumMagnitude: 4.5, since: start, until: end)
                == QuakeFilter(minimumMagnitude: 4.5, since: since, until: until))
    }
}
