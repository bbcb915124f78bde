import Glibc

/// libFuzzer's own loop, from the runtime that `-sanitize=fuzzer` links.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Feeds documents that libFuzzer makes up to the scanner and the decoder. The arguments are those of libFuzzer.
@main
enum Main {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runFuzzer(&count, &arguments) { start, count in
                DocumentTrial(UnsafeRawBufferPointer(start: start, count: count)).run()
                return 0
            })
    }
}
