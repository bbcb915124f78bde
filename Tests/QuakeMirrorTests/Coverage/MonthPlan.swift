import QuakeModel
import QuakeTestSupport

/// What happens to the events of a ``PublishedMonth``, drawn at random.
struct MonthPlan {
    /// A change to the event with `number`.
    struct Step {
        enum Act: Equatable {
            case insert(Quake)
            case revise(magnitude: Double)
            case rename(net: String, code: String)
            /// The event with the number `other` ends in this one.
            case merge(other: Int)
            case delete, restore
        }

        var moment: Timestamp
        var number: Int
        var act: Act
    }

    /// The ages at which quakes are retracted.
    static let ages: [Duration] =
        [.seconds(1_800), .seconds(43_200)] + [1, 2, 3, 5, 7, 14, 29].map { .seconds($0 * day) }
    private static let day = PublishedMonth.day
    private static let retractionsOfEachAge = 5
    private static let merges = 20

    private(set) var steps: [Step] = []
    /// The quakes by origin time; their positions are their numbers.
    private let quakes: [Quake]
    /// The numbers of the quakes that are retracted or merged.
    private var taken: Set<Int> = []

    init(quakes: [Quake]) {
        self.quakes = quakes
    }

    /// Draws everything that happens. Returns the retractions.
    mutating func drawAll(_ random: inout SplitMix64) -> [PublishedMonth.Retraction] {
        let retractions = Self.ages.flatMap { age in
            (0..<Self.retractionsOfEachAge).map { drawRetraction(at: age, isMistake: $0 == 0, &random) }
        }
        for _ in 0..<Self.merges { drawMerge(&random) }
        for number in quakes.indices { drawLife(of: number, &random) }
        return retractions
    }

    /// The last quake of an age is retracted more than a day before the end of the month.
    private mutating func drawRetraction(
        at age: Duration, isMistake: Bool, _ random: inout SplitMix64
    ) -> PublishedMonth.Retraction {
        let last = isMistake ? 20 : 29
        let target = PublishedMonth.start + .seconds(3_600 + random.next(last * Self.day - 3_600))
        var number = quakes.firstIndex { $0.originTime >= target - age } ?? 0
        while !taken.insert(number).inserted { number += 1 }
        let moment = quakes[number].originTime + age
        let restored = isMistake ? moment + .seconds(3 * 3_600 + random.next(5 * 3_600)) : nil
        steps.append(Step(moment: moment, number: number, act: .delete))
        if let restored { steps.append(Step(moment: restored, number: number, act: .restore)) }
        return PublishedMonth.Retraction(number: number, age: age, moment: moment, restored: restored)
    }

    /// Merges two quakes that follow each other, located by other networks.
    private mutating func drawMerge(_ random: inout SplitMix64) {
        let number = quakes.count / 2 + random.next(quakes.count / 2 - 1)
        let (quake, other) = (quakes[number], quakes[number + 1])
        guard Set(quake.sources.members).isDisjoint(with: other.sources.members), !taken.contains(number),
            !taken.contains(number + 1)
        else { return }
        taken.formUnion([number, number + 1])
        let moment = other.originTime + .seconds(7_200 + random.next(Self.day))
        steps.append(Step(moment: moment, number: number, act: .merge(other: number + 1)))
    }

    /// Publishes a quake, usually within minutes but sometimes a day later, and changes it afterward.
    private mutating func drawLife(of number: Int, _ random: inout SplitMix64) {
        let quake = quakes[number]
        let isLate = !taken.contains(number) && random.next(8) == 0
        let delay = 120 + random.next(isLate ? Self.day : 600)
        steps.append(Step(moment: quake.originTime + .seconds(delay), number: number, act: .insert(quake)))
        func moment(within seconds: Int) -> Timestamp { quake.originTime + .seconds(delay + 60 + random.next(seconds)) }
        if random.next(2) == 0 {
            let magnitude = ((quake.magnitude ?? 1) * 100 + 7).rounded() / 100
            let step = Step(moment: moment(within: Self.day), number: number, act: .revise(magnitude: magnitude))
            steps.append(step)
        }
        guard !taken.contains(number) else { return }
        switch random.next(60) {
        case 0:
            let act = Step.Act.rename(net: "pr", code: "9\(number)")
            steps.append(Step(moment: moment(within: Self.day), number: number, act: act))
        case 1:
            let act = Step.Act.rename(net: quake.net, code: "8\(number)")
            steps.append(Step(moment: moment(within: Self.day), number: number, act: act))
        default: break
        }
    }
}
