import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Changes in words") struct ChangeWordsTests {
    private let quake = Quake(sample: "us7000abcd")

    private func update(_ reason: ChangeReason = .revised, _ change: (inout Quake) -> Void) -> HistoryChange {
        var after = quake
        change(&after)
        return HistoryChange(
            id: 7, transaction: 2, reason: reason, quakeKey: 1,
            effect: .update(before: quake, after: after, changed: after.differences(from: quake)))
    }

    private func line(_ change: HistoryChange, columns: Int? = nil) -> String {
        let writer = ByteWriter(descriptor: -1)
        let table = ChangeTable([TextColumn("UTC", 5) { $0.cells[0] }], writer, OutputStyle(terminalColumns: columns))
        table.write((change, ChangeWords(change), ["12:04"]))
        return writer.pendingText
    }

    @Test("A revision is printed with its most important differences and the number of the others") func revision() {
        let change = update {
            $0.magnitude = 4.7
            $0.hypocenter.depthKilometers = 23.42
            $0.updated = $0.updated + .seconds(60)
            $0.stationCount = 12
            $0.residualSeconds = 0.3
        }
        #expect(
            line(change)
                == "12:04  revised    M 4.6 → 4.7  5 km S of Pāhola                        depth 8.1 → 23.4 km, +3 more  us7000abcd\n"
        )
    }

    @Test("A revision of only bookkeeping fields, such as nst, is described by their number") func minorRevision() {
        let bookkeeping = update { $0.stationCount = 3 }
        #expect(ChangeWords(bookkeeping).isMinor && ChangeWords(bookkeeping).details == "1 field added")
        let same = ChangeWords(update { $0.magnitude = 4.62 })
        #expect(same.magnitude == "M 4.6" && same.details == "mag 4.6 → 4.62")
    }

    @Test("The estimated intensity at a place is printed for new quakes and revisions that change it")
    func estimatedIntensity() {
        func differences(_ after: Quake?, before: Quake?, at place: GeographicPoint) -> [String] {
            var words = ChangeWords(present: quake, now: nil)
            words.addIntensityDifference(of: after, before: before, at: place)
            return words.differences
        }
        var smaller = quake
        smaller.magnitude = 3
        let here = quake.epicenter
        #expect(differences(quake, before: nil, at: here) == ["estimated here: VI (strong)"])
        #expect(differences(smaller, before: quake, at: here) == ["estimated here: VI (strong) → III (weak)"])
        #expect(
            differences(quake, before: quake, at: here).isEmpty && differences(nil, before: quake, at: here).isEmpty)
        #expect(differences(quake, before: nil, at: GeographicPoint(latitude: 50, longitude: 8)).isEmpty)
        smaller.magnitude = nil
        #expect(differences(smaller, before: nil, at: here).isEmpty)
    }

    @Test("A rename is printed with the former id, and a merge with the id of the surviving quake") func kinds() {
        #expect(
            [line(update(.renamed) { ($0.net, $0.code) = ("pr", "1") })].allSatisfy {
                $0.contains("  formerly us7000abcd") && $0.hasSuffix("  pr1\n")
            })
        func words(_ reason: ChangeReason, _ effect: HistoryChange.Effect) -> String {
            let change = HistoryChange(id: 1, transaction: 1, reason: reason, quakeKey: 1, effect: effect)
            let words = ChangeWords(change, now: .sample + .seconds(480), survivor: "ci1")
            return "\(words.word): \(words.details)"
        }
        #expect(words(.new, .insert(quake)) == "new: 8 min ago")
        #expect(words(.retracted, .delete(tombstone: quake, mergedInto: nil)) == "retracted: ")
        #expect(words(.purged, .delete(tombstone: quake, mergedInto: nil)) == "purged: ")
        #expect(words(.merged, .delete(tombstone: quake, mergedInto: 2)) == "merged: into ci1")
        let merge = HistoryChange(
            id: 1, transaction: 1, reason: .merged, quakeKey: 2, effect: .delete(tombstone: quake, mergedInto: 1))
        #expect(ChangeWords(merge, survivor: quake.id).differences == ["into the quake that took this id"])
    }

    @Test("In a list of changes, an event other than an earthquake has its type before the place")
    func otherEventTypes() {
        var blast = quake
        (blast.eventType, blast.place) = ("quarry blast", "5 km SE of Owasso, Oklahoma")
        let told = "Quarry Blast - 5 km SE of Owasso, Oklahoma"
        for effect: HistoryChange.Effect in [.insert(blast), .delete(tombstone: blast, mergedInto: nil)] {
            let change = HistoryChange(id: 1, transaction: 1, reason: .new, quakeKey: 1, effect: effect)
            #expect(ChangeWords(change).place == told)
        }
        #expect(ChangeWords(present: blast, now: nil).place == told)
        #expect(ChangeWords(update { $0.eventType = "ice quake" }).place == "Ice Quake - \(quake.place ?? "")")
        #expect(ChangeWords(present: quake, now: nil).place == quake.place)
    }

    @Test(
        "In a list of changes, a new quake has its age, or its date if it is at least a week old",
        arguments: [
            (0, "just now"), (1, "1 s ago"), (604_799, "6 days ago"), (604_800, "at \(Timestamp.sample.minuteWords)"),
            (-1, "in the future"),
        ])
    func ageOfNewQuake(seconds: Int, words: String) {
        let now = Timestamp.sample + .seconds(seconds)
        let change = HistoryChange(id: 1, transaction: 1, reason: .new, quakeKey: 1, effect: .insert(quake))
        #expect(ChangeWords(change, now: now).details == words)
        #expect(ChangeWords(present: quake, now: now).details == words)
    }

    @Test("A revision is printed with large differences, such as a new alert, before small ones") func order() {
        let words = ChangeWords(
            update {
                $0.hypocenter.depthKilometers = 9
                $0.hypocenter.latitude += 0.01
                $0.status = "reviewed"
                $0.feltReports = 1234
                $0.magnitudeType = "mww"
            })
        #expect(words.differences.prefix(2) == ["now reviewed", "felt 1,234"], "\(words.differences)")
        #expect(words.details == "now reviewed, felt 1,234, +3 more")
        let moved = ChangeWords(
            update {
                $0.hypocenter.depthKilometers = 22.4
                $0.hypocenter.latitude += 1
                $0.originTime = $0.originTime - .seconds(35)
                $0.status = "reviewed"
                $0.alert = "red"
            })
        let expected = ["alert red", "moved 111 km", "origin time -35 s", "depth 8.1 → 22.4 km", "now reviewed"]
        #expect(moved.differences == expected)
        #expect(ChangeWords(update { $0.originTime = $0.originTime + .seconds(604) }).details == "origin time +10 min")
    }

    @Test("The {headline} of a quake without a place has no dash after the magnitude") func withoutPlace() {
        #expect(Quake(sample: "us1", place: nil).headline == "M 4.6")
        #expect(Quake(sample: "us1").headline == "M 4.6 - 5 km S of Pāhola")
    }
}
