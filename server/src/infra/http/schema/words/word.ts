/** What a field means and, in order of preference, values for it: the first one that its schema takes is its example. */
export type Word = readonly [description: string, ...examples: unknown[]]

/**
 * By the name of a field, or by `Schema.field` where the meaning differs there. In place of a schema stands the id of
 * an operation, or `query` or `path` for the parameters of all.
 */
export type Words = Readonly<Record<string, Word>>
