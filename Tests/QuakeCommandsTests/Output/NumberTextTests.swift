import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

struct NumberTextTests {
    private func text(_ value: Double) -> String { written { NumberText.write(value, to: $0) } }
    private func text(_ value: Int64) -> String { written { NumberText.write(value, to: $0) } }

    private func written(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberText.capacity) { scratch in
            guard let start = scratch.baseAddress else { return "" }
            return String(decoding: scratch[..<write(start)], as: UTF8.self)
        }
    }

    @Test(
        "Numbers are printed without superfluous digits, such as 5 for 5.0",
        arguments: [
            (5.0, "5"), (-0.0, "0"), (0, "0"), (4.35, "4.35"), (-0.5, "-0.5"), (0.067290000000000003, "0.06729"),
            (-147.2512, "-147.2512"), (180, "180"), (1e-7, "0.0000001"), (1e-9, "1e-09"),
            (0.1 + 0.2, "0.30000000000000004"), (1e15, "1000000000000000"),
            (1e16, "1e+16"), (123_456_789.125, "123456789.125"), (99_999_999_999.9999, "99999999999.9999"),
        ])
    func shortestForm(value: Double, expected: String) {
        #expect(text(value) == expected)
    }

    @Test("Any number printed as text reads back unchanged") func everyNumber() {
        var generator = SplitMix64(state: 1)
        for round in 0..<40_000 {
            let value: Double =
                switch round % 4 {
                case 0: Double(bitPattern: generator.next())
                case 1: (Double.random(in: -180...180, using: &generator) * 1e4).rounded() / 1e4
                case 2: (Double.random(in: -180...180, using: &generator) * 1e7).rounded() / 1e7
                default: Double.random(in: -1000...1000, using: &generator)
                }
            guard value.isFinite else { continue }
            let written = text(value)
            #expect(Double(written) == value, "\(value)")
            let shortest = value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
            if !shortest.contains("e"), value != 0 { #expect(written == shortest) }
        }
    }

    @Test("Any integer printed as text reads back unchanged") func everyInteger() {
        for value in [0, .max, .min, 9_999_999_999_999_999] as [Int64] { #expect(text(value) == String(value)) }
        var generator = SplitMix64(state: 2)
        for _ in 0..<5_000 {
            let value = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<63, using: &generator)
            #expect(text(value) == String(value))
        }
    }

    @Test("Any timestamp printed as text reads back unchanged") func timestamps() throws {
        var generator = SplitMix64(state: 3)
        let (first, last) = (Timestamp.representable.lowerBound, Timestamp.representable.upperBound)
        let moments = (0..<2_000).map { _ in
            Timestamp(milliseconds: Int64.random(in: first.milliseconds...last.milliseconds, using: &generator))
        }
        #expect(moments.map { Timestamp(iso8601: $0.iso8601) } == moments)
    }
}
