// Lets `import QuakeEditing` suffice for the types in its declarations.
@_exported public import QuakeModel
@_exported public import QuakeStore
