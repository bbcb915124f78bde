// `import QuakeStore` is enough for the types of its declarations.
@_exported public import QuakeModel
