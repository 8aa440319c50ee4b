/** A bug of ours, never a caller's mistake: answered as 500 INTERNAL_ERROR, logged with its stack, never caught. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** States what must be true here; the sentence is what the log will say when it is not. */
export function invariant(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new InvariantError(sentence)
}

/** Closes an exhaustive switch: the compiler proves that nothing arrives, the runtime reports what did. */
export function unreachable(value: never): never {
  throw new InvariantError(`No branch handles ${JSON.stringify(value)}.`)
}
