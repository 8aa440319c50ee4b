import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { FourEyes } from '../../command.ts'

/** A price that moves further than this is a mistake or worse: a second operator looks at it. */
const MOVE_MAX_BPS = 2_000n

/** Both are not negative. What was nothing before has moved without bounds. */
export function movesFar({ from, to }: Readonly<{ from: Fraction; to: Fraction }>): boolean {
  const before = from.numerator * to.denominator
  const after = to.numerator * from.denominator
  const move = after > before ? after - before : before - after
  return move * 10_000n > MOVE_MAX_BPS * before
}

export const fourEyesIf = (isNeeded: boolean): FourEyes | undefined =>
  isNeeded ? 'always' : undefined
