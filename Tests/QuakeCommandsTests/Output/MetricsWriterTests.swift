import QuakeModel
import Testing

@testable import QuakeCommands

struct MetricsWriterTests {
    @Test("A metric is written as a HELP line, a TYPE line and one line per sample") func lines() throws {
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

    @Test("In metrics, times and durations are written in seconds with three decimals") func seconds() {
        #expect(Timestamp(milliseconds: 1_773_489_600_007).metricText == "1773489600.007")
        #expect(Timestamp(milliseconds: -1_250).metricText == "-1.250")
        #expect(Duration.milliseconds(90_500).metricText == "90.500")
    }

    @Test("A metric without samples still has a HELP and a TYPE line") func withoutSamples() throws {
        #expect(try captured { Metric("m", "None.", nil).write(to: $0) } == "# HELP m None.\n# TYPE m gauge\n")
    }

    @Test("Quotes, backslashes and line breaks in a metric's label are escaped") func escaping() {
        #expect(Metric.escaped("a\"b\\c\nd") == #"a\"b\\c\nd"#)
        #expect(Metric.escaped("Åsgrunn 能") == "Åsgrunn 能")
    }
}
