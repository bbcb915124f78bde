import QuakeModel
import Testing

@testable import QuakeCommands

struct MetricsWriterTests {
    @Test func aMetricHasItsHelpItsTypeAndASampleALine() throws {
        let text = try captured { writer in
            Metric("quakes_test_total", "Tests.", -3, ("feed", "all_day"), ("news", "absent")).write(to: writer)
            Metric("quakes_test", "Each.", by: "feed", [("a", 7), ("b", nil), ("c", true)]).write(to: writer)
        }
        #expect(
            text == """
                # HELP quakes_test_total Tests.
                # TYPE quakes_test_total counter
                quakes_test_total{feed="all_day",news="absent"} -3
                # HELP quakes_test Each.
                # TYPE quakes_test gauge
                quakes_test{feed="a"} 7
                quakes_test{feed="c"} 1

                """)
    }

    @Test func momentsAndDurationsAreSecondsWithTheirMilliseconds() {
        #expect(Timestamp(milliseconds: 1_773_489_600_007).metricText == "1773489600.007")
        #expect(Timestamp(milliseconds: -1_250).metricText == "-1.250")
        #expect(Duration.milliseconds(90_500).metricText == "90.500")
    }

    @Test func aMetricWithoutSamplesIsNamedAllTheSame() throws {
        #expect(try captured { Metric("m", "None.", nil).write(to: $0) } == "# HELP m None.\n# TYPE m gauge\n")
    }

    @Test func whatWouldEndALabelIsEscaped() {
        #expect(Metric.escaped("a\"b\\c\nd") == #"a\"b\\c\nd"#)
        #expect(Metric.escaped("Åsgrunn 能") == "Åsgrunn 能")
    }
}
