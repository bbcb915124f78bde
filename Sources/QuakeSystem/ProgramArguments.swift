import CQuakes
import Glibc

package enum ProgramArguments {
    /// The path of the running program without symbolic links; nil without /proc.
    package static var executable: String? {
        access("/proc/self/exe", F_OK) == 0 ? FileLocation.resolved("/proc/self/exe") : nil
    }
}
