import QuakeModel
import Testing

@testable import QuakeCommands

struct MetricsWriterTests {
    @Test func aMetricHasItsHelpItsTypeAndASampleALine() throws {
        let text = try captured { writer in
            MetricsWriter(writer).counter(
                "quakes_test_total", "Tests.",
                [.init(7), .init(-3, ("feed", "all_day"), ("news", "absent"))])
        }
        #expect(
            text == """
                # HELP quakes_test_total Tests.
                # TYPE quakes_test_total counter
                quakes_test_total 7
                quakes_test_total{feed="all_day",news="absent"} -3

                """)
    }

    @Test func momentsAndDurationsAreSecondsWithTheirMilliseconds() throws {
        let text = try captured { writer in
            MetricsWriter(writer).gauge(
                "m", "Times.",
                [
                    .init(Timestamp(milliseconds: 1_773_489_600_007)), .init(Timestamp(milliseconds: -1_250)),
                    .init(Duration.milliseconds(90_500)),
                ])
        }
        #expect(text.hasSuffix("\nm 1773489600.007\nm -1.250\nm 90.500\n"))
    }

    @Test func aMetricWithoutSamplesIsNamedAllTheSame() throws {
        let text = try captured { MetricsWriter($0).gauge("m", "None.", []) }
        #expect(text == "# HELP m None.\n# TYPE m gauge\n")
    }

    @Test func whatWouldEndALabelIsEscaped() {
        #expect(MetricsWriter.escaped("a\"b\\c\nd") == #"a\"b\\c\nd"#)
        #expect(MetricsWriter.escaped("Åsgrunn 能") == "Åsgrunn 能")
    }
}
