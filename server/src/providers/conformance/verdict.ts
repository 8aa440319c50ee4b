/** A case ends in one of these, or has passed. */

/** The provider did something else than the protocol says. */
export class CaseFailure extends Error {
  override name = 'CaseFailure'
  readonly expected: string
  readonly seen: string
  constructor(expected: string, seen: string) {
    super(`expected ${expected}, seen: ${seen}`)
    this.expected = expected
    this.seen = seen
  }
}

/** The provider does not play what the case needs. */
export class CaseSkip extends Error {
  override name = 'CaseSkip'
}

const SEEN_MAX = 300

/** A value as one short line. */
export const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, SEEN_MAX)

export function demand(condition: boolean, expected: string, seen: unknown): asserts condition {
  if (!condition) throw new CaseFailure(expected, shown(seen))
}
