import QuakeModel
import QuakeTestSupport
import Testing

struct EstimatedIntensityTests {
    /// Computed by a Python program from the equation of Allen, Wald and Worden (2012).
    @Test(
        "Estimated intensity agrees with values computed independently in Python",
        arguments: [
            (4.5, 10, 5.275385, 1.130744), (4.5, 31.622776601683793, 3.667921, 0.947283),
            (4.5, 100.4987562112089, 2.101956, 0.838263), (6.5, 10, 7.726853, 1.130744),
            (6.5, 30, 6.538847, 0.956219), (6.5, 100, 4.959033, 0.838436), (6.5, 300, 3.509432, 0.822143),
            (3, 12.806248474865697, 2.793974, 1.101855), (7.8, 50, 7.480482, 0.884155), (9.1, 130, 7.881846, 0.831136),
            (2, 1, 4.93297, 1.189296), (5.0, 50.0001, 3.7394, 0.884155),
            (6.5, 65, 5.521829, 0.860854), (5.0, 79, 3.134336, 0.84868),
        ])
    func agreesWithOtherProgram(magnitude: Double, kilometers: Double, value: Double, deviation: Double) {
        let intensity = EstimatedIntensity(magnitude: magnitude, hypocentralKilometers: kilometers)
        #expect(abs(intensity.value - value) < 0.00001 && abs(intensity.standardDeviation - deviation) < 0.00001)
    }

    @Test("Estimated intensity depends on the distance from the hypocenter, not from the epicenter")
    func hypocentralDistance() throws {
        let place = GeographicPoint(latitude: 35, longitude: 139)
        var quake = Quake(sample: "us1", magnitude: 5.5)
        quake.hypocenter = Hypocenter(longitude: 139, latitude: 36, depthKilometers: 40)
        let along = place.distanceKilometers(to: quake.epicenter)
        let expected = EstimatedIntensity(magnitude: 5.5, hypocentralKilometers: (along * along + 1600).squareRoot())
        #expect(quake.estimatedIntensity(at: place) == expected)
        quake.magnitude = nil
        #expect(quake.estimatedIntensity(at: place) == nil)
    }

    @Test("For the estimated intensity, an unknown depth counts as 10 km") func unknownDepth() {
        let place = GeographicPoint(latitude: 0, longitude: 0)
        let known = EstimatedIntensity(magnitude: 5, epicenter: place, depthKilometers: 10, at: place)
        let unknown = EstimatedIntensity(magnitude: 5, epicenter: place, depthKilometers: nil, at: place)
        #expect(known?.value == unknown?.value && known?.assumesDepth == false && unknown?.assumesDepth == true)
    }

    @Test("Estimated intensity is finite and increases with the magnitude") func increasesWithMagnitude() {
        for kilometers in [0, 0.5, 1, 10, 60, 20_000] {
            let values = stride(from: -2, through: 10, by: 0.01).map {
                EstimatedIntensity(magnitude: $0, hypocentralKilometers: kilometers).value
            }
            #expect(values.allSatisfy(\.isFinite) && zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        }
        let here = GeographicPoint(latitude: 0, longitude: 0)
        for magnitude in [Double.nan, .infinity, 1e300] {
            #expect(EstimatedIntensity(magnitude: magnitude, epicenter: here, depthKilometers: 1, at: here) == nil)
        }
    }

    @Test("Intensity levels have the names of the Modified Mercalli scale, such as \"IV (light)\"") func levelNames() {
        let values = [-3, 1.4, 1.5, 3.49, 3.5, 4.49, 8.2, 9.5, 12]
        #expect(
            values.map { IntensityLevel(nearestTo: $0).description } == [
                "I (not felt)", "I (not felt)", "II (weak)", "III (weak)", "IV (light)", "IV (light)", "VIII (severe)",
                "X (extreme)", "X (extreme)",
            ])
        #expect(IntensityLevel("iv") == IntensityLevel("Light") && IntensityLevel("light")?.minimumIntensity == 3.5)
        #expect(IntensityLevel("weak")?.rawValue == 2 && IntensityLevel("XI") == nil && IntensityLevel("") == nil)
    }
}
