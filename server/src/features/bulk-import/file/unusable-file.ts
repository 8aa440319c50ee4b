export type UnusableReason =
  | 'missing_required_column'
  | 'not_utf8'
  | 'malformed'
  | 'no_rows'
  | 'too_many_rows'

/** The file is refused as a whole; no row is imported (BULK-3). */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
  readonly reason: UnusableReason
  readonly column: string | undefined

  constructor(reason: UnusableReason, options: ErrorOptions & { column?: string } = {}) {
    super(reason, options)
    this.reason = reason
    this.column = options.column
  }
}
