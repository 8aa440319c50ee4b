import type { ByteText } from '../../kernel/text/byte-text.ts'

/** Between two members of an object. No string in JSON holds it, so that no value is ever cut apart. */
const NEXT_MEMBER = ',"'
/** As much as two texts have to have in common where one is taken up again in the other. */
const NEEDLE_CHARS = 16

/** Texts are compared by so many characters, which costs a tenth of one by one. */
const STEP_CHARS = 64

function commonLength(base: string, from: number, own: string, at: number): number {
  const max = Math.min(base.length - from, own.length - at)
  let length = 0
  const isStepCommon = (): boolean =>
    base.slice(from + length, from + length + STEP_CHARS) ===
    own.slice(at + length, at + length + STEP_CHARS)
  while (length + STEP_CHARS <= max && isStepCommon()) length += STEP_CHARS
  while (length < max && base.charCodeAt(from + length) === own.charCodeAt(at + length)) length += 1
  return length
}

type Resumed = Readonly<{ from: number; at: number }>

/**
 * The next member of `own`, from the one at `start` on, that stands in `base` too, behind `from`; undefined if there is
 * none. The texts differ at `differAt`, which the first member has to match as well.
 */
function resume(
  { base, own, from }: Readonly<{ base: string; own: string; from: number }>,
  { start, differAt }: Readonly<{ start: number; differAt: number }>,
): Resumed | undefined {
  for (let at = start; at >= 0; at = own.indexOf(NEXT_MEMBER, at + 1)) {
    const needle = own.slice(at, Math.max(at + NEEDLE_CHARS, differAt + 1))
    const found = base.indexOf(needle, from)
    if (found >= 0) return { from: found, at }
  }
  return undefined
}

/**
 * How the JSON `own` is made of that of `base`, as `event_data` of the database reads it: a line with three numbers for
 * each cut (the place in the base, the bytes copied from there, the bytes of its own behind them), then its own bytes.
 */
export function differenceOf(base: ByteText, own: ByteText): ByteText {
  const cuts: number[] = []
  let inserted = ''
  let [from, at] = [0, 0]
  for (;;) {
    const differAt = at + commonLength(base, from, own, at)
    const isEnd = differAt === own.length
    const start = isEnd ? differAt : Math.max(own.lastIndexOf(NEXT_MEMBER, differAt), at)
    const copied = start - at
    const next = isEnd ? undefined : resume({ base, own, from: from + copied }, { start, differAt })
    const ownPart = own.slice(start, next?.at)
    cuts.push(from, copied, ownPart.length)
    inserted += ownPart
    if (!next) return `${cuts.join(' ')}\n${inserted}` as ByteText
    ;({ from, at } = next)
  }
}
