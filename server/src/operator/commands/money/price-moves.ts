import type { Fraction } from '../../../kernel/money/fraction.ts'
import type { FourEyes } from '../../command.ts'

/** A larger move is probably a mistake or fraud, so a second operator has to agree. */
const MOVE_MAX_BPS = 2_000n

/** Neither price is negative. Any move from zero is far. */
export function movesFar({ from, to }: Readonly<{ from: Fraction; to: Fraction }>): boolean {
  const before = from.numerator * to.denominator
  const after = to.numerator * from.denominator
  const move = after > before ? after - before : before - after
  return move * 10_000n > MOVE_MAX_BPS * before
}

export const fourEyesIf = (isNeeded: boolean): FourEyes | undefined =>
  isNeeded ? 'always' : undefined
