/// Thrown for a record that is appended to a document after its end.
public struct DocumentEnded: Error {}
