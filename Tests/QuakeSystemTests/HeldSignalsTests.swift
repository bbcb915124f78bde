import Glibc
import QuakeSystem
import QuakeTestSupport
import Testing

@Suite("Deferred signals") struct HeldSignalsTests {
    @Test("A deferred signal ends only one wait, but is still reported as arrived afterward") func arrival()
        async throws
    {
        let found = try await onOwnThread {
            let signals = HeldSignals([SIGUSR1])
            signals.hold()
            let before = (signals.arrived, signals.wait(upTo: .zero))
            pthread_kill(pthread_self(), SIGUSR1)
            let after = (signals.arrived, signals.wait(upTo: .seconds(10)), signals.arrived, signals.wait(upTo: .zero))
            return (before, after)
        }
        #expect(found.0 == (nil, false))
        #expect(found.1 == (SIGUSR1, true, SIGUSR1, true))
    }

    @Test("A signal that the process already ignores stays ignored instead of being deferred") func ignoredSignal()
        async throws
    {
        let found = try await onOwnThread {
            signal(SIGUSR2, SIG_IGN)
            let signals = HeldSignals([SIGUSR2])
            signals.hold()
            pthread_kill(pthread_self(), SIGUSR2)
            return signals.arrived
        }
        #expect(found == nil)
    }
}
