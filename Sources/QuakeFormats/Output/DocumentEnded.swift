/// Thrown if a record is appended to a document, or the document is ended, after its end.
public struct DocumentEnded: Error {}
