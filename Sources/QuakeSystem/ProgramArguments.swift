import CQuakes
import Glibc

/// How the system started this program.
///
/// Not `CommandLine.arguments`, which is empty where /proc cannot be read: in a chroot, or without a free descriptor.
package enum ProgramArguments {
    /// Every word of the command line, the program's name first. Bytes that are not UTF-8 are replaced.
    package static var words: [String] {
        (0..<quakes_argument_count()).compactMap { index in quakes_argument(index).map { String(cString: $0) } }
    }

    /// Where the program is, without symbolic links; nil if the system does not say.
    package static var executable: String? {
        if access("/proc/self/exe", F_OK) == 0 { return FileLocation.resolved("/proc/self/exe") }
        return quakes_executable().map { FileLocation.resolved(String(cString: $0)) }
    }
}
