public import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for other programs: one that waits forever fails. However slow the machine is, no other test
    /// reaches the limit.
    public static var endsInTime: Self { .timeLimit(.minutes(Sanitizer.isActive || Thoroughness.isFull ? 60 : 10)) }
}
