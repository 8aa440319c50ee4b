/** A bug of the service, never a caller's mistake: answered as 500 INTERNAL_ERROR, logged with its stack, never caught. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Throws if the condition is false; the sentence, which states what must be true, is logged. */
export function invariant(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence)
}

/** Closes an exhaustive switch: the compiler proves that it is never called. */
export function unreachable(value: never): never {
  throw new InvariantError(`No branch handles ${JSON.stringify(value)}.`)
}
