/** The meaning of a field and candidates for its example: the first one that its schema accepts is shown. */
export type FieldDoc = readonly [description: string, ...examples: unknown[]]

/**
 * By the name of a field, or by `Schema.field` where the meaning differs in that schema. For parameters the schema is
 * the id of an operation, or `query` or `path` for those of all operations.
 */
export type FieldDocs = Readonly<Record<string, FieldDoc>>
