import FoundationEssentials

extension Data {
    /// Calls `read` with the bytes, and keeps the type of its errors, which `withUnsafeBytes` loses.
    func reading<Result, Failure>(
        _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = withUnsafeBytes { bytes in
            Swift.Result { () throws(Failure) in try read(bytes) }
        }
        return try outcome.get()
    }
}
