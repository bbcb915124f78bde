// Lets `import QuakeStore` suffice for the types in its declarations.
@_exported public import QuakeModel
