import FoundationEssentials

extension Data {
    /// Calls `read` with the bytes. `withUnsafeBytes` loses the type of the errors.
    func reading<Result, Failure>(
        _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = withUnsafeBytes { bytes in
            Swift.Result { () throws(Failure) in try read(bytes) }
        }
        return try outcome.get()
    }
}
