import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

struct FilterOptionsTests {
    private func filter(_ arguments: String...) throws -> QuakeFilter { try FilterOptions.parse(arguments).filter }

    @Test(
        "The help for each limit, such as --min-mag, says whether the limit is inclusive",
        arguments: [
            "--min-mag", "--max-mag", "--min-depth", "--max-depth", "--radius", "--min-felt", "--min-sig",
            "--min-intensity", "--since", "--until",
        ])
    func limitsInHelp(option: String) throws {
        let help = ListCommand.helpMessage(columns: 1000)
        let rest = help[try #require(help.firstRange(of: " \(option) <")).upperBound...]
        let entry = rest[..<(rest.firstRange(of: "\n  -")?.lowerBound ?? rest.endIndex)]
        #expect(entry.contains(option == "--until" ? "(exclusive)" : "(inclusive)"), "\(entry)")
    }

    @Test("--min-intensity felt means the same as --min-intensity II") func feltIntensity() throws {
        #expect(try IntensityArgument.parse("Felt") == IntensityArgument.parse("II"))
        #expect(IntensityArgument.words.first == "felt")
    }

    @Test("Without filter options, every quake matches") func noOptions() throws {
        #expect(try filter() == QuakeFilter())
    }

    @Test(
        "--min-mag accepts a negative number after a space or =",
        arguments: [["--min-mag", "-1"], ["--min-mag=-1"], ["--min-mag", "-1.0"], ["--min-mag=-1e0"]])
    func negativeMagnitude(arguments: [String]) throws {
        #expect(try FilterOptions.parse(arguments).filter.minimumMagnitude == -1)
    }

    @Test(
        "--bbox accepts a negative longitude as its first number, after a space or =",
        arguments: [["--bbox", "-120,30,-110,40"], ["--bbox=-120,30,-110,40"], ["--bbox", "-120, 30, -110, 40"]])
    func negativeLongitude(arguments: [String]) throws {
        let expected = try BoundingBox(west: -120, south: 30, east: -110, north: 40)
        #expect(try FilterOptions.parse(arguments).filter.boundingBoxes == [expected])
    }

    @Test("Filter options such as --max-depth set the corresponding conditions of the filter") func everyOption() throws
    {
        var expected = QuakeFilter()
        expected.minimumMagnitude = -0.5
        expected.maximumMagnitude = 7
        expected.minimumDepthKilometers = -3
        expected.maximumDepthKilometers = 70
        let center = GeographicPoint(latitude: -33.4, longitude: -70.6)
        expected.circles = [QuakeFilter.Circle(center: center, radiusKilometers: 250)]
        expected.placesContain = ["-Fox"]
        expected.eventTypes = ["earthquake", "quarry blast", "explosion"]
        expected.statuses = ["reviewed"]
        expected.networks = ["us", "ci"]
        expected.magnitudeTypes = ["mww", "ml"]
        expected.alerts = ["red", "orange"]
        expected.minimumFeltReports = 10
        expected.minimumSignificance = 600
        expected.requiresTsunamiFlag = true
        let actual = try filter(
            "--min-mag", "-0.5", "--max-mag", "7", "--min-depth", "-3", "--max-depth=70", "--near", "-33.4,-70.6",
            "--radius",
            "250", "--place", "-Fox", "--type", "earthquake, quarry blast", "--type", "explosion", "--status",
            "reviewed",
            "--net", "us,ci", "--magtype", "mww,ml", "--alert", "red", "--alert", "orange", "--min-felt", "10",
            "--min-sig", "600", "--tsunami"
        )
        #expect(actual == expected)
    }

    @Test(
        "Malformed filter options are usage errors",
        arguments: [
            ["--min-mag", "5", "--max-mag", "4"], ["--min-depth", "5", "--max-depth", "4"], ["--min-mag", "nan"],
            ["--min-mag", "inf"], ["--max-mag", "1e999"], ["--min-mag", "0x10"], ["--min-mag", "five"],
            ["--min-mag", ""],
            ["--radius", "10"], ["--near", "1,2", "--radius", "-1"], ["--near", "91,0"], ["--near", "0,361"],
            ["--near", "1"],
            ["--near", "nan,0"], ["--bbox", "1,2,3"], ["--bbox", "0,40,10,30"], ["--bbox", "0,0,0,0,0"],
            ["--bbox", "-361,0,0,1"],
            ["--place", ""], ["--place", "  "], ["--type", ""], ["--net", ","], ["--magtype", ","],
            ["--min-felt", "1.5"],
            ["--min-sig", "x"],
            ["--min-mag"],
        ])
    func mistakes(arguments: [String]) {
        #expect {
            try FilterOptions.parse(arguments)
        } throws: { error in
            FilterOptions.exitCode(for: error).rawValue == ExitStatus.usage.rawValue
        }
    }

    @Test("The error for an invalid latitude in --near names the option and the valid range") func messageNamesRange() {
        let error = #expect(throws: (any Error).self) { try FilterOptions.parse(["--near", "91,0"]) }
        let message = error.map { FilterOptions.message(for: $0) } ?? ""
        #expect(message.contains("Latitude must be between -90 and 90"))
        #expect(message.contains("--near"))
    }

    @Test(
        "Longitudes up to 360 in --near and --bbox are converted to the range -180 to 180",
        arguments: [
            ("170,-50,190,-30", 170.0, -170.0), ("200,0,300,1", -160, -60), ("-200,0,-160,1", 160, -160),
            ("180,0,360,1", 180, 0), ("0,0,360,1", -180, 180), ("-180,0,180,1", -180, 180), ("350,0,10,1", -10, 10),
        ])
    func longitudesTo360(text: String, west: Double, east: Double) throws {
        let box = try #require(try filter("--bbox", text).boundingBoxes.first)
        #expect(box.west == west && box.east == east)
        #expect(try FilterOptions.parse(["--near", "-17,190"]).common.centers.first?.point.longitude == -170)
    }

    @Test(
        "--region distinguishes Washington, D.C., from the state of Washington",
        arguments: [
            ("Washington, D.C.", ["District of Columbia"]), ("washington,dc", ["District of Columbia"]),
            ("Washington, D.C., Oregon", ["District of Columbia", "Oregon"]),
            ("Washington, Oregon", ["Oregon", "Washington"]),
        ])
    func washington(text: String, regions: [String]) throws {
        #expect(try filter("--region", text).regions.sorted() == regions)
    }

    @Test("A --bbox whose west edge is greater than its east edge crosses the 180th meridian") func boxAcross180()
        throws
    {
        #expect(try filter("--bbox", "170,-50,-170,-30").boundingBoxes.first?.crossesDateLine == true)
    }

    @Test("Each filter, sort and global option has help") func everyOptionHasHelp() {
        for help in [
            FilterOptions.helpMessage(), OriginTimeOptions.helpMessage(), SortOptions.helpMessage(),
            GlobalOptions.helpMessage(),
        ] {
            // If an option has no help, its line is blank after the name.
            let lines = help.split(separator: "\n")
            for (index, line) in lines.enumerated() where line.hasPrefix("  -") {
                let isExplained =
                    line.contains(/\s\s[A-Z]/) || index + 1 < lines.count && lines[index + 1].contains(/^ {20,}[A-Z]/)
                #expect(isExplained || line.contains("Show help"), "\(line)")
            }
        }
    }

    @Test("--type accepts a dash or an underscore for the space in an event type") func eventTypes() throws {
        let list = try ListCommand.parse(["--type", "!quarry-blast,ice_quake"])
        #expect(list.filters.filter.eventTypes == ["!quarry blast", "ice quake"])
    }
}

struct SortOptionsTests {
    private static let point = GeographicPoint(latitude: 1, longitude: 2)

    private func sort(_ arguments: String..., from point: GeographicPoint? = nil) throws -> QuakeSortKey {
        try SortOptions.parse(arguments).sortKey(
            from: [point].compactMap(\.self).map { Site(point: $0, origin: .near) })
    }

    @Test("--sort selects the sort key, and --reverse reverses the order") func sortKeys() throws {
        let distance = QuakeSort.distance(from: [Self.point])
        #expect(try sort() == QuakeSortKey(.time, order: .reverse))
        #expect(try sort("--sort", "mag") == QuakeSortKey(.magnitude, order: .reverse))
        #expect(try sort("--sort", "depth", from: Self.point) == QuakeSortKey(.depth, order: .reverse))
        #expect(try sort("--sort", "felt") == QuakeSortKey(.feltReports, order: .reverse))
        #expect(try sort("--sort", "sig") == QuakeSortKey(.significance, order: .reverse))
        #expect(try sort("--sort", "updated") == QuakeSortKey(.updated, order: .reverse))
        #expect(try sort("--sort", "distance", from: Self.point) == QuakeSortKey(distance, order: .forward))
        #expect(try sort("--reverse") == QuakeSortKey(.time, order: .forward))
        #expect(
            try sort("--sort", "distance", "--reverse", from: Self.point) == QuakeSortKey(distance, order: .reverse))
    }

    @Test("--sort distance is rejected without a place, and \"changes --near\" without a radius")
    func distanceNeedsPoint() {
        #expect(throws: ValidationError.self) { try sort("--sort", "distance") }
        #expect(throws: Never.self) { try ListCommand.parse(["--near", "1,2"]) }
        #expect(throws: Never.self) { try ListCommand.parse(["--near", "1,2", "--fields", "id,bearing"]) }
        #expect(throws: Never.self) { try ListCommand.parse(["--near", "1,2", "--template", "{compass}"]) }
        #expect(throws: (any Error).self) { try sort("--sort", "name") }
        #expect(throws: ValidationError.self) {
            try FilterOptions.parse(["--near", "1,2"]).common.requireRadiusForCenter()
        }
        // Neither an alarm nor a template may silently be about the whole world.
        for near in [["--near", "1,2"], ["--near", "1,2", "--template", "{distance}"]] {
            #expect(throws: (any Error).self) { try ChangesCommand.parse(near) }
            #expect(throws: (any Error).self) { try WatchCommand.parse(near) }
            #expect(throws: Never.self) { try ChangesCommand.parse(near + ["--radius", "300km"]) }
            #expect(throws: Never.self) { try WatchCommand.parse(near + ["--min-intensity", "4"]) }
        }
    }
}
