/** The embedded database cannot be used here; the message says why and what to do instead. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}
