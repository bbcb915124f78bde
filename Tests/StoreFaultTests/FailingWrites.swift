import CQuakesSQLite
import Glibc
import Synchronization

/// Makes SQLite's n-th write to a file fail, as a full or faulty disk does.
///
/// SQLite's table of system calls belongs to the whole process, so only one test at a time may use it. Only writes of
/// the thread that requested failures fail; all other tests in the process are undisturbed.
enum FailingWrites {
    /// The outcome planned for the next writes.
    private struct Plan {
        var writesLeft = Int.max
        var code: Int32 = 0
        var isLasting = false
        var failures = 0
        var thread: pthread_t?
    }

    private static let plan = Mutex(Plan())

    /// Runs `body` and makes write number `count` fail with `code`, and also all later ones if `isLasting`.
    ///
    /// Returns the number of failed writes.
    static func during(write count: Int, code: Int32, isLasting: Bool, _ body: () -> Void) -> Int {
        plan.withLock { $0 = Plan(writesLeft: count, code: code, isLasting: isLasting, thread: pthread_self()) }
        _ = installation
        body()
        return plan.withLock { plan in
            plan.thread = nil
            return plan.failures
        }
    }

    /// Runs `body` and returns the number of writes it made.
    static func count(_ body: () throws -> Void) throws -> Int {
        plan.withLock { $0 = Plan(thread: pthread_self()) }
        _ = installation
        defer { plan.withLock { $0.thread = nil } }
        try body()
        return plan.withLock { .max - $0.writesLeft }
    }

    /// Whether this write may succeed; called for each write.
    fileprivate static func mayWrite() -> Bool {
        plan.withLock { plan in
            guard let thread = plan.thread, pthread_equal(thread, pthread_self()) != 0 else { return true }
            plan.writesLeft -= 1
            guard plan.writesLeft == 0 || (plan.isLasting && plan.writesLeft < 0) else { return true }
            plan.failures += 1
            errno = plan.code
            return false
        }
    }

    /// Installed once and permanently; calls of other threads pass through.
    private static let installation: Void = {
        let positioned: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
            FailingWrites.mayWrite() ? pwrite(file, bytes, count, offset) : -1
        }
        let plain: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { file, bytes, count in
            FailingWrites.mayWrite() ? write(file, bytes, count) : -1
        }
        let truncating: @convention(c) (Int32, off_t) -> Int32 = { file, length in
            FailingWrites.mayWrite() ? ftruncate(file, length) : -1
        }
        replace("pwrite64", unsafeBitCast(positioned, to: sqlite3_syscall_ptr.self))
        replace("pwrite", unsafeBitCast(positioned, to: sqlite3_syscall_ptr.self))
        replace("write", unsafeBitCast(plain, to: sqlite3_syscall_ptr.self))
        replace("ftruncate", unsafeBitCast(truncating, to: sqlite3_syscall_ptr.self))
    }()

    private static func replace(_ name: String, _ function: sqlite3_syscall_ptr?) {
        guard let system = sqlite3_vfs_find(nil) else { return }
        _ = system.pointee.xSetSystemCall(system, name, function)
    }
}
