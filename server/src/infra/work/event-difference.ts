import type { ByteText } from '../../kernel/text/byte-text.ts'

/**
 * How the JSON `own` is made of that of `base`, as `event_data` of the database reads it: a line with three numbers for
 * each cut (the place in the base, the bytes copied from there, the bytes of its own behind them), then its own bytes. Both
 * come in parts, and those that are equal and at the same place are copied.
 */
export function differenceOf(base: readonly ByteText[], own: readonly ByteText[]): ByteText {
  const cuts: number[] = []
  let cut = { from: 0, copied: 0, added: 0 }
  let place = 0
  let inserted = ''
  const endCut = (): void => void cuts.push(cut.from, cut.copied, cut.added)
  for (let at = 0; at < base.length || at < own.length; at += 1) {
    const [basePart = '', ownPart = ''] = [base[at], own[at]]
    if (basePart !== ownPart) {
      cut.added += ownPart.length
      inserted += ownPart
    } else if (cut.added > 0 || place !== cut.from + cut.copied) {
      endCut()
      cut = { from: place, copied: basePart.length, added: 0 }
    } else cut.copied += basePart.length
    place += basePart.length
  }
  endCut()
  return `${cuts.join(' ')}\n${inserted}` as ByteText
}
